interface TrustedTypesFactory {
  createPolicy(name: string, rules: { createHTML: (text: string) => string }): unknown;
}

/**
 * What the page may write as HTML: text that holds no tag. The kit writes its stylesheets this way;
 * nothing that could become an element passes, and scripts are never written.
 */
export function plainTextOnly(text: string): string {
  if (text.includes("<")) throw new TypeError("This page writes no HTML.");
  return text;
}

/** Must run before anything renders: the Content-Security-Policy requires trusted types. */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy("default", { createHTML: plainTextOnly });
}
