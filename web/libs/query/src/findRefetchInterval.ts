import { serverTime } from "@konomana/http";

/** From this time before the start, the link to join may appear soon. */
const SOON_MS = 15 * 60_000;
const SOON_INTERVAL_MS = 20_000;
const LATER_INTERVAL_MS = 5 * 60_000;

/**
 * How often a page with a link to join is fetched again, in milliseconds, so that the link appears
 * in time. `startsAt` is the next date. `false` without one.
 */
export function findRefetchInterval(startsAt: string | undefined): number | false {
  if (startsAt === undefined) return false;
  return Date.parse(startsAt) - serverTime() <= SOON_MS ? SOON_INTERVAL_MS : LATER_INTERVAL_MS;
}
