import { expect, test } from "vitest";
import { clock } from "./clock";

test.each([
  [0, "0:00"],
  [9.9, "0:09"],
  [200, "3:20"],
  [3599, "59:59"],
  [3725, "1:02:05"],
])("%d is %s", (second, shown) => {
  expect(clock(second)).toBe(shown);
});
