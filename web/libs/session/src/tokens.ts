import type { Tokens } from "./sessionApi";

/** The specification, §9: used when the access token contains no expiry. */
export const ACCESS_LIFETIME_S = 86_400;
/** The specification, §9: 30 days from the login. A refresh does not extend them. */
export const REFRESH_LIFETIME_S = 2_592_000;
/** The specification, §9: a token counts as expired this much earlier. */
export const EXPIRY_MARGIN_MS = 500;

/** The stored tokens. Times are milliseconds since 1970 by this browser's clock. */
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
 * Adds expiry times to received tokens. The lifetime is `exp − iat` of the token, counted from now,
 * so a wrong clock on the learner's machine has no effect. `refreshEnd` is the existing end of the
 * session.
 */
export function stampTokens(tokens: Tokens, now: number, refreshEnd?: number): StoredTokens {
  return {
    access_token: tokens.access_token,
    refresh_token: tokens.refresh_token,
    access_expires_at: now + lifetimeOf(tokens.access_token) * 1000,
    refresh_expires_at: refreshEnd ?? now + REFRESH_LIFETIME_S * 1000,
  };
}

/** The lifetime of a JWT in seconds, from its claims. */
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
