interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

/**
 * The Trusted Types policy: it accepts only text without a tag. The kit writes its stylesheets this
 * way. Markup and scripts are refused.
 */
export function plainTextOnly(text: string): string {
  if (text.includes("<")) throw new TypeError("This page writes no HTML.");
  return text;
}

/**
 * Installs the policy. It must run before anything renders, because the Content-Security-Policy
 * requires Trusted Types.
 */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy("default", { createHTML: plainTextOnly });
}
