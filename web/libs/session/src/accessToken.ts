import { endSession } from "./endSession";
import { renewTokens, SessionOver } from "./refresh";
import { startRefreshTimer } from "./refreshTimer";
import { readTokens } from "./tokenStorage";
import { tokenState } from "./tokens";

/** The stored access token, or a new one if it has expired. */
export async function currentToken(): Promise<string> {
  const stored = readTokens();
  if (stored && tokenState(stored.access_expires_at) === "valid") return stored.access_token;
  return renewToken(stored?.access_token ?? "");
}

/**
 * Returns an access token newer than `refused`. If the session is over, ends it in this browser and
 * throws `SessionOver`.
 */
export async function renewToken(refused: string): Promise<string> {
  try {
    const fresh = await renewTokens(refused);
    refreshBeforeExpiry();
    return fresh.access_token;
  } catch (error) {
    if (error instanceof SessionOver) endSession(error.why);
    throw error;
  }
}

/** Refreshes the stored access token shortly before it expires. Call it after storing tokens. */
export function refreshBeforeExpiry(): void {
  startRefreshTimer(renewToken);
}
