import { expect, test } from "vitest";
import { findingsOf } from "./findings";

const good = {
  browser: "Chrome 141",
  browser_fits: true,
  clock_offset_ms: 400,
  storage_kept: true,
  round_trip_ms: 80,
};
const states = (given: Partial<typeof good>) =>
  findingsOf({ ...good, ...given }).map(({ state }) => state);

test("a suitable device has no remedies", () => {
  expect(states({})).toEqual(["good", "good", "good", "good"]);
  expect(findingsOf(good).map(({ mend }) => mend)).toEqual(["", "", "", ""]);
});

test("a wrong clock is reported with its direction and does not prevent the exam", () => {
  const [, late] = findingsOf({ ...good, clock_offset_ms: -3 * 3_600_000 });
  expect(late).toMatchObject({ state: "care", words: "この端末の時計は、3時間遅れています。" });
  const [, early] = findingsOf({ ...good, clock_offset_ms: 90_000 });
  expect(early?.words).toBe("この端末の時計は、1分30秒進んでいます。");
});

test("a finding that prevents the exam has a remedy", () => {
  const found = findingsOf({
    ...good,
    browser_fits: false,
    storage_kept: false,
    round_trip_ms: 5500,
  });
  expect(found.map(({ state }) => state)).toEqual(["bad", "good", "bad", "bad"]);
  expect(found.filter(({ state }) => state === "bad").every(({ mend }) => mend !== "")).toBe(true);
  expect(states({ round_trip_ms: 800 })).toEqual(["good", "good", "good", "care"]);
});
