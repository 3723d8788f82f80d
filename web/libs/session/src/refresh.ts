import { withLock } from "@konomana/browser";
import { sessionApi, type Tokens } from "./sessionApi";
import { ApiError } from "@konomana/http";
import type { LoginReason } from "./loginReason";
import { readTokens, writeTokens } from "./tokenStorage";
import { stampTokens, tokenState, type StoredTokens } from "./tokens";

/** The exact wording of the specification, §8. */
export const BOTH_EXPIRED = "Both token and refresh token have expired. Your request was aborted.";

/** Name of the Web Lock that serializes refreshes across tabs. */
export const LOCK = "konomana.refresh";
/**
 * How long a tab holds the lock after a refresh. Storage written by one tab reaches the others with
 * a delay.
 */
const STORAGE_SETTLES_MS = 250;

/** Thrown when a call needs a session and there is none, or when the session has ended. */
export class SessionOver extends ApiError {
  readonly why: LoginReason;

  constructor(why: LoginReason, message: string) {
    super({ status: 401, code: "UNAUTHENTICATED", traceId: "", detail: message });
    this.name = "SessionOver";
    this.why = why;
  }
}

let running: Promise<StoredTokens> | null = null;

/**
 * Replaces the present tokens by those of a call that ends them. Holds the refresh lock meanwhile:
 * a tab that refreshed with the old tokens would sign the person out.
 */
export function storeTokensOf(call: () => Promise<Tokens>): Promise<void> {
  return withLock(
    LOCK,
    async () => writeTokens(stampTokens(await call(), Date.now())),
    STORAGE_SETTLES_MS,
  );
}

/**
 * Returns tokens newer than `refused`, an access token that is expired or refused by the server.
 * Calls of one tab share one refresh. Tabs refresh in turn, and a later tab takes over the tokens
 * that it finds in storage. Throws `SessionOver` if the session has ended, otherwise the server's
 * error.
 */
export function renewTokens(refused: string): Promise<StoredTokens> {
  running ??= withLock(LOCK, () => takeOverOrRefresh(refused), STORAGE_SETTLES_MS).finally(
    () => (running = null),
  );
  return running;
}

async function takeOverOrRefresh(refused: string): Promise<StoredTokens> {
  const stored = readTokens();
  if (!stored) throw new SessionOver("needed", "No user is signed in.");
  const isNewer = stored.access_token !== refused;
  if (isNewer && tokenState(stored.access_expires_at) === "valid") return stored;
  if (tokenState(stored.refresh_expires_at) === "expired")
    throw new SessionOver("expired", BOTH_EXPIRED);

  const fresh = await refreshWith(stored.refresh_token);
  const kept = readTokens();
  // A logout during the refresh wins: the new tokens must not be stored.
  if (!kept) throw new SessionOver("signedOut", "The session ended while it was being refreshed.");
  // Another tab refreshed first, and this tab had read the older tokens.
  if (kept.refresh_token !== stored.refresh_token) return kept;
  const stamped = stampTokens(fresh, Date.now(), stored.refresh_expires_at);
  writeTokens(stamped);
  return stamped;
}

async function refreshWith(refreshToken: string) {
  try {
    return await sessionApi.refresh(refreshToken);
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      throw new SessionOver("ended", BOTH_EXPIRED);
    throw error;
  }
}
