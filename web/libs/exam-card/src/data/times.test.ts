import { expect, test } from "vitest";
import { formatDeadline, formatPeriod, resultsBy } from "./times";

test("a deadline at midnight in Tokyo is shown as the day before", () => {
  expect(formatDeadline("2026-12-10T15:00:00Z")).toBe("2026年12月10日(木)");
  expect(formatDeadline("2026-12-10T14:00:00Z")).toBe("2026年12月10日(木) 23:00");
});

test("a period within one day names the day once", () => {
  expect(formatPeriod("2026-12-13T00:00:00Z", "2026-12-13T09:00:00Z")).toBe(
    "2026年12月13日(日) 09:00〜18:00",
  );
  expect(formatPeriod("2026-12-12T00:00:00Z", "2026-12-13T15:00:00Z")).toBe(
    "2026年12月12日(土) 09:00〜2026年12月13日(日)",
  );
});

test("results are announced by a date, and available from then on", () => {
  const moment = "2026-12-20T03:00:00Z";
  expect(resultsBy(moment, Date.parse(moment) - 1)).toBe(
    "結果は2026年12月20日(日) 12:00までに、マイページに出ます。",
  );
  expect(resultsBy(moment, Date.parse(moment))).toBe("結果が出ています。");
});
