interface TrustedTypesFactory {
  createPolicy(
    name: string,
    rules: {
      createHTML: (text: string) => string;
      createScriptURL: (url: string) => string;
    },
  ): unknown;
}

/**
 * The Trusted Types policy: it accepts only text without a tag. The kit writes its stylesheets this
 * way. Markup and scripts are refused.
 */
export function plainTextOnly(text: string): string {
  if (text.includes("<")) throw new TypeError("This page writes no HTML.");
  return text;
}

/** The service workers of a running exam and of notifications. */
const WORKERS = /^\/(?:exam|push)-worker\.js$/;

/** Allows the only scripts that a page loads by their URLs. */
export function workersOnly(url: string): string {
  if (!WORKERS.test(url)) throw new TypeError("This page runs no other script.");
  return url;
}

/**
 * Installs the policy. It must run before anything renders, because the Content-Security-Policy
 * requires Trusted Types.
 */
export function installTrustedTypes(): void {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypesFactory };
  trustedTypes?.createPolicy("default", {
    createHTML: plainTextOnly,
    createScriptURL: workersOnly,
  });
}
