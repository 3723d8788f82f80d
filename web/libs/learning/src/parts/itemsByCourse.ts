import type { InventoryItem } from "@konomana/learner";

/**
 * The item to open for each course, by course id. If a course was bought more than once, a usable
 * item takes precedence.
 */
export function itemsByCourse(items: readonly InventoryItem[] = []): Map<number, InventoryItem> {
  const byCourse = new Map<number, InventoryItem>();
  for (const item of items) {
    const known = byCourse.get(item.course.id);
    if (!known || (known.is_expired && !item.is_expired)) byCourse.set(item.course.id, item);
  }
  return byCourse;
}
