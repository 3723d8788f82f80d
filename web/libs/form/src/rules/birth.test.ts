import { expect, test } from "vitest";
import { isMinor, todayInTokyo } from "./birth";

test("a day begins in Tokyo nine hours earlier than in UTC", () => {
  expect(todayInTokyo(new Date("2026-03-31T14:59:59Z"))).toEqual({ year: 2026, month: 3, day: 31 });
  expect(todayInTokyo(new Date("2026-03-31T15:00:00Z"))).toEqual({ year: 2026, month: 4, day: 1 });
});

test("people are of age from their eighteenth birthday", () => {
  const birth = { year: 2008, month: 11, day: 21 };
  expect(isMinor(birth, { year: 2026, month: 11, day: 20 })).toBe(true);
  expect(isMinor(birth, { year: 2026, month: 11, day: 21 })).toBe(false);
});
