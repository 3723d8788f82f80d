import { beforeEach, expect, test, vi } from "vitest";
import { forgetServerTime, noteServerTime, onServerTime, serverTime } from "./serverTime";

const NOW = Date.parse("2026-11-21T09:00:00.000Z");

beforeEach(() => {
  vi.useFakeTimers({ now: NOW });
  forgetServerTime();
  return () => vi.useRealTimers();
});

/** A response whose `Date` is `ms` after the device's time. */
const responseAt = (ms: number, cache = "no-store") =>
  new Response(null, {
    headers: { date: new Date(NOW + ms).toUTCString(), "cache-control": cache },
  });

test("without a response it is the device's time", () => {
  expect(serverTime()).toBe(NOW);
  noteServerTime(new Response(), NOW);
  expect(serverTime()).toBe(NOW);
});

test.each([3 * 3_600_000, -3 * 3_600_000])("a clock that is %i ms off is corrected", (ms) => {
  noteServerTime(responseAt(ms), NOW - 40);
  expect(serverTime()).toBe(NOW + ms);
  vi.advanceTimersByTime(500);
  expect(serverTime()).toBe(NOW + ms + 500);
});

test("it is never early, and responses within the bounds change nothing", () => {
  const changed = vi.fn<() => void>();
  const end = onServerTime(changed);
  // The server's time is between 0.4 s and 1.4 s after the header's second.
  noteServerTime(responseAt(0), NOW - 400);
  expect(serverTime()).toBe(NOW);
  vi.advanceTimersByTime(900);
  noteServerTime(responseAt(0), NOW + 900);
  expect(serverTime()).toBe(NOW + 900);
  expect(changed).toHaveBeenCalledTimes(1);
  noteServerTime(responseAt(5000), NOW + 900);
  expect(serverTime()).toBe(NOW + 5000);
  expect(changed).toHaveBeenCalledTimes(2);
  end();
});

test("a response that a cache may have kept only moves the time forward", () => {
  noteServerTime(responseAt(-60_000, "public, max-age=300"), NOW);
  expect(serverTime()).toBe(NOW);
  noteServerTime(responseAt(3_600_000, "public, max-age=300"), NOW);
  expect(serverTime()).toBe(NOW + 3_600_000);
});
