import { sharedStorage } from "@konomana/browser";
import type { StoredTokens } from "./tokens";

/** Both tokens are stored under one key, so no tab reads half of a pair. */
export const TOKENS_KEY = "konomana.tokens";

/** Timestamp of the last change of the user. Writing it notifies the other tabs. */
export const USER_KEY = "konomana.user-changed";

export function readTokens(): StoredTokens | null {
  const stored = sharedStorage.readJson(TOKENS_KEY);
  return isTokens(stored) ? stored : null;
}

export function writeTokens(tokens: StoredTokens): void {
  sharedStorage.writeJson(TOKENS_KEY, tokens);
}

export function clearTokens(): void {
  sharedStorage.remove(TOKENS_KEY);
}

function isTokens(value: unknown): value is StoredTokens {
  return (
    typeof value === "object" &&
    value !== null &&
    "access_token" in value &&
    typeof value.access_token === "string" &&
    "refresh_token" in value &&
    typeof value.refresh_token === "string"
  );
}
