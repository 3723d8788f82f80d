import { expect, test } from "vitest";
import { dayInWords, minutesOf, weekdayOf } from "./week";

test.each([
  [0, 0],
  [5, 1],
  [89, 1],
  [91, 2],
  [3_600, 60],
])("%i seconds are %i minutes", (seconds, minutes) => {
  expect(minutesOf(seconds)).toBe(minutes);
});

test("a learning day is a calendar day, in every time zone of the browser", () => {
  expect(weekdayOf({ date: "2026-11-21" })).toBe("土");
  expect(dayInWords({ date: "2026-11-21" })).toBe("11月21日(土)");
});
