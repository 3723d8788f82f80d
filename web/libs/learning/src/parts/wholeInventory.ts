import {
  api,
  inventoryQuery,
  PERSONAL,
  type InventoryItem,
  type InventoryList,
} from "@konomana/api";
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
