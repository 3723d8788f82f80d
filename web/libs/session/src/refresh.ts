import { withLock } from "@konomana/browser";
import { sessionApi, type Tokens } from "./sessionApi";
import { ApiError } from "@konomana/http";
import type { LoginReason } from "./loginReason";
import { readTokens, writeTokens } from "./tokenStorage";
import { stampTokens, tokenState, type StoredTokens } from "./tokens";

/** The specification, §8, to the letter. */
export const BOTH_EXPIRED = "Both token and refresh token have expired. Your request was aborted.";

/** The lock that tabs take in turn to refresh. */
export const LOCK = "konomana.refresh";
/** How long a tab keeps its turn after a refresh: what one tab stores reaches the others a little later. */
const STORAGE_SETTLES_MS = 250;

/** Thrown when a call needs a session and there is none, or it has ended. */
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
 * Keeps the tokens that a call gives in place of the present ones, which it ends. No tab refreshes meanwhile: one
 * that did would find its session ended and sign the person out.
 */
export function storeTokensOf(call: () => Promise<Tokens>): Promise<void> {
  return withLock(
    LOCK,
    async () => writeTokens(stampTokens(await call(), Date.now())),
    STORAGE_SETTLES_MS,
  );
}

/**
 * Gives tokens newer than `refused`, an access token that has expired or that the server does not take.
 * Calls of one tab share one refresh; tabs take turns, and the later one takes over what it finds freshly
 * stored. Throws `SessionOver` when the session has ended and the server's error otherwise.
 */
export function renewTokens(refused: string): Promise<StoredTokens> {
  running ??= withLock(LOCK, () => takeOverOrRefresh(refused), STORAGE_SETTLES_MS).finally(
    () => (running = null),
  );
  return running;
}

async function takeOverOrRefresh(refused: string): Promise<StoredTokens> {
  const stored = readTokens();
  if (!stored) throw new SessionOver("needed", "Nobody is signed in.");
  const isNewer = stored.access_token !== refused;
  if (isNewer && tokenState(stored.access_expires_at) === "valid") return stored;
  if (tokenState(stored.refresh_expires_at) === "expired")
    throw new SessionOver("expired", BOTH_EXPIRED);

  const fresh = await refreshWith(stored.refresh_token);
  const kept = readTokens();
  // A logout during the refresh wins: its tokens must not come back.
  if (!kept) throw new SessionOver("signedOut", "The session ended while it was being refreshed.");
  // Another tab had refreshed already, and this one read what was stored before that.
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
