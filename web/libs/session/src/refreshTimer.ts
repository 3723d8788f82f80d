import { readTokens } from "./tokenStorage";

/** How long before its expiry an access token is refreshed automatically. */
const REFRESH_AHEAD_MS = 60_000;

let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Calls `refresh` with the stored access token shortly before it expires. The timer of the previous
 * token is stopped.
 */
export function startRefreshTimer(refresh: (accessToken: string) => Promise<unknown>): void {
  stopRefreshTimer();
  const stored = readTokens();
  if (!stored) return;
  const wait = stored.access_expires_at - REFRESH_AHEAD_MS - Date.now();
  timer = setTimeout(
    () => {
      // A failure here is not final: the next call refreshes again and reports the error.
      refresh(stored.access_token).catch(() => {});
    },
    Math.max(0, wait),
  );
}

export function stopRefreshTimer(): void {
  clearTimeout(timer);
}
