/** The tokens of a session under test, and its turn to refresh. */
import type { StoredTokens } from "./tokens";
import { LOCK } from "./refresh";
import { TOKENS_KEY } from "./tokenStorage";

/** Puts tokens where the session looks for them; valid for an hour unless told otherwise. */
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

/** What lies in storage at the moment. */
export function keptTokens(): StoredTokens | null {
  return JSON.parse(localStorage.getItem(TOKENS_KEY) ?? "null") as StoredTokens | null;
}

/** Waits until no tab of the test that has ended keeps its turn to refresh. */
export async function turnsAreOver(): Promise<void> {
  await navigator.locks.request(LOCK, () => {});
}
