import type { Notice } from "../api";
import { expect, test } from "vitest";
import { pagesOf, withNeighbours } from "./lists";

const notice = (id: number, day: string): Notice => ({
  id,
  title: `お知らせ${id}`,
  category: "お知らせ",
  summary: "",
  body: "",
  is_pinned: false,
  published_at: `${day}T00:00:00Z`,
  modified_at: `${day}T00:00:00Z`,
});

test("neighbours are sorted by the day of publication, independent of the list's order", () => {
  const [pinned, newest, oldest] = [
    notice(1, "2026-05-01"),
    notice(3, "2026-11-01"),
    notice(2, "2026-01-01"),
  ] as const;
  const all = [pinned, newest, oldest];
  expect(withNeighbours(pinned, all)).toMatchObject({ newer: { id: 3 }, older: { id: 2 } });
  expect(withNeighbours(newest, all)).toMatchObject({ newer: null, older: { id: 1 } });
  expect(withNeighbours(oldest, all)).toMatchObject({ newer: { id: 1 }, older: null });
});

test("a notice that is not in the list has no neighbours", () => {
  const all = [notice(1, "2026-05-01")];
  expect(withNeighbours(notice(9, "2026-06-01"), all)).toMatchObject({ newer: null, older: null });
});

test.each([
  [0, 1],
  [20, 1],
  [21, 2],
])("%d rows fill %d pages", (count, pages) => {
  expect(pagesOf(count)).toBe(pages);
});
