import { expect, test } from "vitest";
import { hasExtraTime, timeOf } from "./extraTime";

test.each([
  [50, 100, "50分"],
  [75, 100, "75分"],
  [45, 130, "58分30秒"],
  [50, 130, "1時間5分"],
  [50, 150, "1時間15分"],
])("%i minutes at %i percent are %s", (minutes, percent, words) => {
  expect(timeOf(minutes, percent)).toBe(words);
});

test("more than the usual time is extra time", () => {
  expect(hasExtraTime(100)).toBe(false);
  expect(hasExtraTime(130)).toBe(true);
});
