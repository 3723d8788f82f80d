import type { InventoryItem } from "@konomana/learner";

/**
 * The item to open for each course, by course id. A course may have been bought more than once: the one that
 * can still be used goes first.
 */
export function itemsByCourse(items: readonly InventoryItem[] = []): Map<number, InventoryItem> {
  const byCourse = new Map<number, InventoryItem>();
  for (const item of items) {
    const known = byCourse.get(item.course.id);
    if (!known || (known.is_expired && !item.is_expired)) byCourse.set(item.course.id, item);
  }
  return byCourse;
}
