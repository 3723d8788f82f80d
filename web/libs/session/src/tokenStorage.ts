import { sharedStorage } from "@konomana/browser";
import type { StoredTokens } from "./tokens";

/** Both tokens are stored under one key, so no tab reads half of a pair. */
export const TOKENS_KEY = "konomana.tokens";

export function readTokens(): StoredTokens | null {
  const stored = sharedStorage.readJson(TOKENS_KEY);
  return isTokens(stored) ? stored : null;
}

/** Whether tokens are stored in this browser. The server may have ended their session. */
export function hasTokens(): boolean {
  return readTokens() !== null;
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
