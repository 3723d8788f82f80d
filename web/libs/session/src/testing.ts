/** Test support: the stored tokens and the refresh lock. */
import type { StoredTokens } from "./tokens";
import { LOCK } from "./refresh";
import { TOKENS_KEY } from "./tokenStorage";

/** Stores tokens for the session. They are valid for an hour by default. */
export function keepTokens(given: Partial<StoredTokens> = {}): void {
  const tokens: StoredTokens = {
    access_token: "a1",
    refresh_token: "r1",
    access_expires_at: Date.now() + 3_600_000,
    refresh_expires_at: Date.now() + 7_200_000,
    ...given,
  };
  localStorage.setItem(TOKENS_KEY, JSON.stringify(tokens));
}

/** The tokens in storage. */
export function keptTokens(): StoredTokens | null {
  return JSON.parse(localStorage.getItem(TOKENS_KEY) ?? "null") as StoredTokens | null;
}

/** Waits until no tab of the previous test holds the refresh lock. */
export async function awaitRefreshLock(): Promise<void> {
  await navigator.locks.request(LOCK, () => {});
}
