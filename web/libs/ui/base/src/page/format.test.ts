import { expect, test } from "vitest";
import {
  formatDate,
  formatDateTime,
  formatDuration,
  formatLastDay,
  formatPrice,
  formatYen,
} from "./format";

test.each([
  [0, "0秒"],
  [59, "59秒"],
  [60, "1分"],
  [451, "7分31秒"],
  [3599.6, "1時間"],
  [3600, "1時間"],
  [9436, "2時間37分"],
])("a length of %d seconds is %s", (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

test("times are shown in Tokyo's time zone", () => {
  expect(formatDateTime("2026-11-20T15:30:00Z")).toBe("2026年11月21日(土) 00:30");
  expect(formatDate("2026-11-20T15:30:00Z")).toBe("2026年11月21日(土)");
});

test.each([
  ["2026-12-31T14:59:59Z", "2026年12月31日(木)"],
  ["2026-12-31T15:00:00Z", "2026年12月31日(木)"],
  ["2026-12-31T15:00:01Z", "2027年1月1日(金)"],
])("the last day of what ends at %s is %s", (end, last) => {
  expect(formatLastDay(end)).toBe(last);
});

test("amounts are in whole yen, and a price says that tax is included", () => {
  expect(formatYen(1_234_567)).toBe("1,234,567円");
  expect(formatPrice(13_200)).toBe("13,200円（税込）");
});
