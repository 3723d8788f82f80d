import { call, everyPage, pageKey } from "@konomana/http";
import type { OwnedState } from "@konomana/paths";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { FRESH_MS } from "./fresh";
import { inventoryKeys } from "./learnerKeys";
import type { InventoryItem } from "./learnerTypes";

/**
 * One page of 所有講座, last watched first. Pass the `next` or `previous` link of another page to
 * follow it. With a `state`, a course that was bought several times appears once, and its expired
 * items are in `former` of the usable item.
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

/** Every page of 所有講座. The first page is already fetched when the user is loaded. */
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
