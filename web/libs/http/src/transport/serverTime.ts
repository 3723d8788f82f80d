/** The server's clock, estimated from the `Date` header of the API's responses. */

/** The header has whole seconds. */
const SECOND_MS = 1000;

/** How far the server's clock is ahead of the device's, in milliseconds. `null`: unknown. */
let ahead: number | null = null;
const listeners = new Set<() => void>();

/**
 * The server's time, in milliseconds since 1970. It is never early, and late by at most a second
 * and a round trip. Before the first response it is the device's time.
 */
export function serverTime(): number {
  return Date.now() + (ahead ?? 0);
}

/** Calls `listener` when the estimate of the server's clock changes. Returns the unsubscription. */
export function onServerTime(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Forgets the estimate, like a newly opened page. */
export function forgetServerTime(): void {
  ahead = null;
}

/** Reads the server's time from a response to a request that was sent at `sentAt` of the device's clock. */
export function noteServerTime({ headers }: Response, sentAt: number): void {
  const date = Date.parse(headers.get("date") ?? "");
  if (Number.isNaN(date)) return;
  const low = date - Date.now();
  // A cache may have kept a response that is not `no-store`: its date bounds the time on one side only.
  const isFresh = /\bno-store\b/.test(headers.get("cache-control") ?? "");
  const high = isFresh ? date + SECOND_MS - sentAt : Infinity;
  const known = ahead ?? (isFresh ? null : 0);
  if (known !== null && low <= known && known <= high) return;
  ahead = low;
  for (const listener of listeners) listener();
}
