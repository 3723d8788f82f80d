import { expect, test } from "vitest";
import { formatEventTime } from "./formatEventTime";

test("the end has a date only on another day in Tokyo", () => {
  const starts_at = "2027-07-24T01:00:00Z";
  expect(formatEventTime({ starts_at, ends_at: "2027-07-24T06:30:00Z" })).toBe(
    "2027年7月24日(土) 10:00〜15:30",
  );
  expect(formatEventTime({ starts_at, ends_at: "2027-07-24T15:00:00Z" })).toBe(
    "2027年7月24日(土) 10:00〜2027年7月25日(日) 00:00",
  );
});
