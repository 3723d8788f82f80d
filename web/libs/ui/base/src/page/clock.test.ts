import { expect, test } from "vitest";
import { formatClock } from "./clock";

test.each([
  [0, "0:00"],
  [5.9, "0:05"],
  [312, "5:12"],
  [3_599, "59:59"],
  [3_725, "1:02:05"],
  [-3, "0:00"],
])("second %d is shown as %s", (seconds, text) => {
  expect(formatClock(seconds)).toBe(text);
});
