import {
  api,
  inventoryQuery,
  PERSONAL,
  type InventoryItem,
  type InventoryList,
} from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** Every page of 所有講座; the first is the one that the user's load has fetched already. */
export const wholeInventoryQuery = queryOptions({
  queryKey: [...PERSONAL, "inventory", { page: "all" }],
  queryFn: async ({ client, signal }): Promise<InventoryItem[]> => {
    let page = await client.fetchQuery(inventoryQuery());
    const items = [...page.results];
    while (page.next) {
      page = await api.follow<InventoryList>(page.next, signal);
      items.push(...page.results);
    }
    return items;
  },
  staleTime: 60_000,
});

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
