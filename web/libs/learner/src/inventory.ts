import { call, everyPage, pageKey } from "@konomana/http";
import type { OwnedState } from "@konomana/paths";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { FRESH_MS } from "./fresh";
import { inventoryKeys } from "./learnerKeys";
import type { InventoryItem } from "./learnerTypes";

/**
 * One page of 所有講座, last watched first. Give the `next` or `previous` link where one led here: it is followed. In a
 * state, a course that was bought again is there once: what has expired of it is in `former` of the item that can be used.
 */
export const inventoryQuery = (page = 1, link?: string | null, state?: OwnedState) => {
  const query = { sort_by_watchhistory: true, state, page };
  return queryOptions({
    queryKey: inventoryKeys.page(pageKey(query, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/inventory/", { query, link, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
};

export const inventoryItemQuery = (id: number | string) =>
  queryOptions({
    queryKey: inventoryKeys.item(id),
    queryFn: ({ signal }) => call("GET", "/api/lms/inventory/{id}/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/** Every page of 所有講座; the first is the one that the user's load has fetched already. */
export const wholeInventoryQuery = queryOptions({
  queryKey: inventoryKeys.whole,
  queryFn: ({ client, signal }): Promise<InventoryItem[]> =>
    everyPage((link) =>
      link === null
        ? client.fetchQuery(inventoryQuery())
        : call("GET", "/api/lms/inventory/", { link, signal }),
    ),
  staleTime: FRESH_MS,
});
