/**
 * Stale time of marks and progress, which change on several screens. One minute avoids a request on
 * every page change.
 */
export const FRESH_MS = 60_000;
