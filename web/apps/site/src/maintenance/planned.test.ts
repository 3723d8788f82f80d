import type { MaintenanceWindow } from "./maintenanceApi";
import { expect, test } from "vitest";
import { consequence } from "./consequence";
import { announced, markOf } from "./planned";

const NOW = Date.parse("2026-11-21T00:00:00Z");

function window(change: Partial<MaintenanceWindow>): MaintenanceWindow {
  return {
    name: "night",
    scope: "Learning",
    mode: "Full",
    title: "定期メンテナンス",
    message: "サーバーを入れかえます。",
    starts_at: "2026-11-21T17:00:00Z",
    ends_at: "2026-11-21T19:00:00Z",
    affected: ["Learning"],
    status_url: null,
    retry_after_seconds: null,
    active: false,
    ...change,
  };
}

test("the window that begins next is announced", () => {
  const next = window({ name: "sooner", starts_at: "2026-11-21T01:00:00Z" });
  expect(announced([window({}), next], [], NOW)).toBe(next);
});

test("a window that has begun is not announced, even if it is in an old response", () => {
  expect(announced([window({ starts_at: null, active: true })], [], NOW)).toBeNull();
  expect(announced([window({ starts_at: "2026-11-21T00:00:00Z" })], [], NOW)).toBeNull();
});

test("a dismissed window stays dismissed until its time changes", () => {
  const first = window({});
  const seen = [markOf(first)];
  expect(announced([first], seen, NOW)).toBeNull();
  const moved = window({ starts_at: "2026-11-21T18:00:00Z" });
  expect(announced([moved], seen, NOW)).toBe(moved);
  const other = window({ name: "other" });
  expect(announced([first, other], seen, NOW)).toBe(other);
});

test.each([
  [window({ scope: "Site" }), "サイト全体をご利用いただけません。"],
  [window({ mode: "ReadOnly" }), "マイページと学習の記録で、保存や変更ができません。"],
])("it describes what is unavailable", (planned, words) => {
  expect(consequence(planned)).toBe(words);
});
