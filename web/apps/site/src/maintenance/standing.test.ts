import type { MaintenanceInfo } from "@konomana/http";
import type { MaintenanceWindow } from "./maintenanceApi";
import { describe, expect, test } from "vitest";
import { countdown, pollInterval, standing } from "./standing";

const info: MaintenanceInfo = {
  title: "定期メンテナンス",
  message: "サーバーを入れかえています。",
  starts_at: "2026-11-21T00:00:00Z",
  ends_at: "2026-11-21T02:00:00Z",
  affected: ["Learning"],
};

function window(change: Partial<MaintenanceWindow>): MaintenanceWindow {
  return {
    ...info,
    affected: ["Learning"],
    name: "weekly",
    scope: "Learning",
    mode: "Full",
    status_url: null,
    retry_after_seconds: null,
    active: true,
    ...change,
  };
}

describe("the maintenance status", () => {
  test("before the server answers, the 503 response counts", () => {
    expect(standing(info, null)).toEqual({ kind: "closed", info });
    expect(standing(null, null)).toEqual({ kind: "asking" });
  });

  test("the newest information wins: the end may have changed", () => {
    const moved = window({ ends_at: "2026-11-21T03:00:00Z" });
    expect(standing(info, [moved])).toEqual({ kind: "closed", info: moved });
  });

  test("it is over when no active window has the scope of the 503 response", () => {
    expect(standing(info, [])).toEqual({ kind: "open" });
    expect(standing(info, [window({ active: false })])).toEqual({ kind: "open" });
    expect(standing(info, [window({ affected: ["Exam"] })])).toEqual({ kind: "open" });
  });

  test("during read-only maintenance the person may return and read", () => {
    const readOnly = window({ mode: "ReadOnly" });
    expect(standing(info, [readOnly])).toEqual({ kind: "read-only", info: readOnly });
    expect(standing(info, [readOnly, window({})])).toMatchObject({ kind: "closed" });
  });
});

test.each([
  [null, 15_000],
  [5, 15_000],
  [30, 30_000],
  [3600, 60_000],
])("a window that asks for %s s is polled every %d ms", (retry_after_seconds, wait) => {
  expect(pollInterval([window({ retry_after_seconds })])).toBe(wait);
});

test.each([
  ["2026-11-21T02:00:00Z", "2:00:00"],
  ["2026-11-21T01:05:09Z", "1:05:09"],
  ["2026-11-21T00:12:30.200Z", "12:31"],
  ["2026-11-21T00:00:01Z", "0:01"],
  ["2026-11-20T23:00:00Z", "0:00"],
])("the countdown to %s at %s", (until, text) => {
  expect(countdown(until, Date.parse("2026-11-21T00:00:00Z"))).toBe(text);
});
