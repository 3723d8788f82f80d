import type { CourseTree, InventoryItem, Lesson } from "@konomana/learner";

/** Whole per cent of lessons done; 100 only when every one is. */
export function percentDone(done: number, lessons: number): number {
  if (lessons <= 0) return 0;
  return done >= lessons ? 100 : Math.min(99, Math.round((done / lessons) * 100));
}

/** Every lesson of a course, in order. */
export function lessonsOf(course: CourseTree): Lesson[] {
  return course.course_chapter.flatMap(({ units }) => units.flatMap(({ lessons }) => lessons));
}

/**
 * The first lesson that is not checked yet; null when all are. After the lesson `after`, where it is given,
 * what follows goes before what was left out on the way.
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

/** Items that end within so many days, the next to end first; one that was bought again does not end. */
export function expiringSoon(items: readonly InventoryItem[], days: number, now: number) {
  return items
    .filter((item) => !item.is_expired && item.expire_at !== null && !goesOn(item, items))
    .map((item) => ({ item, left: Math.ceil((Date.parse(item.expire_at ?? "") - now) / DAY_MS) }))
    .filter(({ left }) => left <= days)
    .toSorted((a, b) => a.left - b.left);
}

/** Whether the learner has the same course for longer, too. */
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
