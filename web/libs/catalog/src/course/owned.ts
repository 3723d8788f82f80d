import { call } from "@konomana/http";
import { type InventoryItem, inventoryKeys, inventoryQuery } from "@konomana/learner";
import { queryOptions } from "@tanstack/react-query";

/**
 * The person's inventory item of a course, or null. It follows the pages until it finds a usable
 * item, and returns an expired one only if there is no other.
 */
export const ownedItemQuery = (course: number) =>
  queryOptions({
    queryKey: inventoryKeys.ofCourse(course),
    queryFn: async ({ client, signal }): Promise<InventoryItem | null> => {
      let expired: InventoryItem | null = null;
      let page = await client.fetchQuery(inventoryQuery());
      for (;;) {
        const own = page.results.filter((item) => item.course.id === course);
        const usable = own.find((item) => !item.is_expired);
        if (usable !== undefined) return usable;
        expired ??= own[0] ?? null;
        if (page.next === null) return expired;
        page = await call("GET", "/api/lms/inventory/", { link: page.next, signal });
      }
    },
    staleTime: 60_000,
  });
