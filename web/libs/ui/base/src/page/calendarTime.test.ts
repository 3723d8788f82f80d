import { expect, test } from "vitest";
import { addDays, formatPeriod } from "./calendarTime";

test("the end has a date only on another day in Tokyo", () => {
  const starts_at = "2027-07-24T01:00:00Z";
  expect(formatPeriod({ starts_at, ends_at: "2027-07-24T06:30:00Z" })).toBe(
    "2027年7月24日(土) 10:00〜15:30",
  );
  expect(formatPeriod({ starts_at, ends_at: "2027-07-24T15:00:00Z" })).toBe(
    "2027年7月24日(土) 10:00〜2027年7月25日(日) 00:00",
  );
});

test("days are added over the end of a month and of a year", () => {
  expect(addDays("2026-12-28", 7)).toBe("2027-01-04");
  expect(addDays("2028-03-01", -1)).toBe("2028-02-29");
});
