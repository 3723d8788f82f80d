import type { CourseTree, InventoryItem, Lesson } from "@konomana/learner";

/** Percentage of checked lessons, rounded; 100 only if all are checked. */
export function percentDone(done: number, lessons: number): number {
  if (lessons <= 0) return 0;
  return done >= lessons ? 100 : Math.min(99, Math.round((done / lessons) * 100));
}

/** Every lesson of a course, in order. */
export function lessonsOf(course: CourseTree): Lesson[] {
  return course.course_chapter.flatMap(({ units }) => units.flatMap(({ lessons }) => lessons));
}

/**
 * The first lesson that is not checked yet; null if all are. With `after`, lessons after that one
 * come before skipped ones.
 */
export function nextLesson(
  course: CourseTree,
  checked: readonly number[],
  after?: number,
): Lesson | null {
  const done = new Set(checked);
  const lessons = lessonsOf(course);
  const from = lessons.findIndex(({ id }) => id === after) + 1;
  const inOrder = [...lessons.slice(from), ...lessons.slice(0, from)];
  return inOrder.find(({ id }) => !done.has(id) && id !== after) ?? null;
}

const DAY_MS = 86_400_000;

/**
 * Items that end within a number of days, soonest first. Items of a course that was bought again
 * are left out.
 */
export function expiringSoon(items: readonly InventoryItem[], days: number, now: number) {
  return items
    .filter((item) => !item.is_expired && item.expire_at !== null && !goesOn(item, items))
    .map((item) => ({ item, left: Math.ceil((Date.parse(item.expire_at ?? "") - now) / DAY_MS) }))
    .filter(({ left }) => left <= days)
    .toSorted((a, b) => a.left - b.left);
}

/** Whether the learner has the same course for longer with another item. */
function goesOn(
  { id, course, expire_at }: InventoryItem,
  items: readonly InventoryItem[],
): boolean {
  return items.some(
    (other) =>
      other.id !== id &&
      other.course.id === course.id &&
      (other.expire_at === null || Date.parse(other.expire_at) > Date.parse(expire_at ?? "")),
  );
}
