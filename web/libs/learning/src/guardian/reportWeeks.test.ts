import { expect, test } from "vitest";
import { listReportWeeks, formatWeek } from "./reportWeeks";

test("the last week ends on Monday at four in Tokyo", () => {
  expect(listReportWeeks(Date.parse("2027-01-04T03:59:59+09:00"))[0]).toBe("2026-12-21");
  const weeks = listReportWeeks(Date.parse("2027-01-04T04:00:00+09:00"));
  expect(weeks).toHaveLength(8);
  expect([weeks[0], weeks[7]]).toEqual(["2026-12-28", "2026-11-09"]);
  expect(listReportWeeks(Date.parse("2027-01-10T23:59:00+09:00"))[0]).toBe("2026-12-28");
});

test("a week is named by its days", () => {
  expect(formatWeek("2026-12-28")).toBe("12月28日〜1月3日");
});
