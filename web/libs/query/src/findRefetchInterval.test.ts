import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { findRefetchInterval } from "./findRefetchInterval";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-12-03T10:00:00Z") }));
afterEach(() => void vi.useRealTimers());

test.each([
  ["without a date", undefined, false],
  ["a month before", "2027-01-03T10:00:00Z", 300_000],
  ["just over 15 minutes before", "2026-12-03T10:15:01Z", 300_000],
  ["15 minutes before", "2026-12-03T10:15:00Z", 20_000],
  ["while it is on", "2026-12-03T09:40:00Z", 20_000],
] as const)("a page with a link to join is fetched again: %s", (_, startsAt, interval) => {
  expect(findRefetchInterval(startsAt)).toBe(interval);
});
