import type { CourseTree, InventoryItem } from "@konomana/learner";
import { describe, expect, test } from "vitest";
import { expiringSoon, nextLesson, percentDone } from "./progress";
import { itemsByCourse } from "./itemsByCourse";

const item = (given: Partial<InventoryItem>) => given as InventoryItem;
const now = Date.parse("2026-11-21T00:00:00Z");
const lesson = (id: number) => ({ id });
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();

const ending = (id: number, days: number, given: Partial<InventoryItem> = {}) =>
  item({
    id,
    course: { id: 100 + id } as CourseTree,
    expire_at: inDays(days),
    is_expired: days < 0,
    ...given,
  });
const soonOf = (...items: InventoryItem[]) =>
  expiringSoon(items, 30, now).map(({ item: { id }, left }) => [id, left]);

describe("percentage done", () => {
  test.each([
    [0, 18, 0],
    [9, 18, 50],
    [18, 18, 100],
    [199, 200, 99],
    [999, 1000, 99],
    [0, 0, 0],
    [19, 18, 100],
  ])("%i of %i is %i", (done, lessons, percent) => {
    expect(percentDone(done, lessons)).toBe(percent);
  });
});

test("the next lesson is the first unchecked one, across units and chapters", () => {
  const course = {
    course_chapter: [
      { units: [{ lessons: [lesson(1), lesson(2)] }, { lessons: [lesson(3)] }] },
      { units: [{ lessons: [lesson(4)] }] },
    ],
  } as CourseTree;
  expect(nextLesson(course, [])?.id).toBe(1);
  expect(nextLesson(course, [1, 2])?.id).toBe(3);
  expect(nextLesson(course, [3, 2, 1])?.id).toBe(4);
  expect(nextLesson(course, [1, 2, 3, 4])).toBeNull();
});

test("after a lesson come the following ones, then the skipped ones", () => {
  const course = {
    course_chapter: [{ units: [{ lessons: [lesson(1), lesson(2), lesson(3), lesson(4)] }] }],
  } as CourseTree;
  expect(nextLesson(course, [2], 2)?.id).toBe(3);
  expect(nextLesson(course, [2, 3], 2)?.id).toBe(4);
  expect(nextLesson(course, [2, 3, 4], 4)?.id).toBe(1);
  expect(nextLesson(course, [1, 3, 4], 2)).toBeNull();
});

describe("courses that end soon", () => {
  test("are ordered by end, without expired and unlimited ones", () => {
    expect(
      soonOf(
        ending(1, 20),
        ending(2, 4.2),
        ending(3, 31),
        ending(4, 5.5, { is_auto_renewal: true }),
        ending(5, -5),
        item({ id: 6, course: { id: 6 } as CourseTree, expire_at: null, is_expired: false }),
      ),
    ).toEqual([
      [2, 5],
      [4, 6],
      [1, 20],
    ]);
  });

  test("exclude a course that was bought again", () => {
    const course = { id: 7 } as CourseTree;
    expect(soonOf(ending(1, 3, { course }), ending(2, 300, { course }))).toEqual([]);
    expect(soonOf(ending(1, 3, { course }), ending(2, -9, { course }))).toEqual([[1, 3]]);
  });
});

test("a course bought twice opens with its usable item", () => {
  const course = { id: 7 } as CourseTree;
  const items = [
    item({ id: 1, course, is_expired: true }),
    item({ id: 2, course, is_expired: false }),
    item({ id: 3, course, is_expired: true }),
  ];
  expect(itemsByCourse(items).get(7)?.id).toBe(2);
});
