import type { Tokens } from "./sessionApi";

/** The specification, §9: used when the access token does not say itself how long it lives. */
export const ACCESS_LIFETIME_S = 86_400;
/** The specification, §9: 30 days, counted from the login and not renewed by a refresh. */
export const REFRESH_LIFETIME_S = 2_592_000;
/** The specification, §9: a token counts as expired this much early. */
export const EXPIRY_MARGIN_MS = 500;

/** What one browser keeps; times are milliseconds since 1970 by this browser's own clock. */
export interface StoredTokens extends Tokens {
  access_expires_at: number;
  refresh_expires_at: number;
}

/** The specification, §4: a token is valid, expired or unknown. */
export type TokenState = "valid" | "expired" | "unknown";

export function tokenState(expiresAt: number | null | undefined, now = Date.now()): TokenState {
  if (typeof expiresAt !== "number" || Number.isNaN(expiresAt)) return "unknown";
  return now < expiresAt - EXPIRY_MARGIN_MS ? "valid" : "expired";
}

/**
 * Stamps freshly received tokens. The lifetime is what the token grants (`exp − iat`), counted from now, so
 * that a wrong clock on the learner's machine does not matter. `refreshEnd` is the end the session already has.
 */
export function stampTokens(tokens: Tokens, now: number, refreshEnd?: number): StoredTokens {
  return {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    access_expires_at: now + lifetimeOf(tokens.access_token) * 1000,
    refresh_expires_at: refreshEnd ?? now + REFRESH_LIFETIME_S * 1000,
  };
}

/** Seconds that a JWT lives by its own claims. */
function lifetimeOf(accessToken: string): number {
  const { exp, iat } = claimsOf(accessToken);
  return typeof exp === "number" && typeof iat === "number" && exp > iat
    ? exp - iat
    : ACCESS_LIFETIME_S;
}

function claimsOf(jwt: string): { exp?: unknown; iat?: unknown } {
  const payload = jwt.split(".")[1];
  if (!payload) return {};
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}
