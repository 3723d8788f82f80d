import {
  checkQuery,
  favoriteQuery,
  inventoryQuery,
  type InventoryList,
  type MarkPage,
} from "@konomana/learner";
import { PERSONAL } from "@konomana/http";
import type { QueryClient } from "@tanstack/react-query";

const emptyInventory: InventoryList = {
  count: 0,
  current_page: 1,
  max_page: 1,
  complete_count: 0,
  next: null,
  previous: null,
  results: [],
};

const emptyMarks: MarkPage = { count: 0, next: null, previous: null, results: [] };

/** The cached personal data of the signed-in user. The session loads and resets it. */
export interface PersonalData {
  /** On user load, inventory, favorites and checks are fetched together (the specification, §4). */
  load(): Promise<void>;
  /**
   * Removes all personal data: inventory, favorites and checks are reset to empty defaults (the
   * specification, §4). The defaults are already stale, so the next user's data is fetched at once.
   */
  reset(): void;
  /**
   * Removes all personal data and the empty defaults, before a user's data is loaded. With the
   * defaults, lists would be shown as empty.
   */
  clear(): void;
}

/** The personal data in a query client. */
export function personalDataIn(queries: QueryClient): PersonalData {
  return {
    async load() {
      await Promise.all([
        queries.prefetchQuery(inventoryQuery()),
        queries.prefetchQuery(favoriteQuery()),
        queries.prefetchQuery(checkQuery()),
      ]);
    },
    reset() {
      void queries.cancelQueries({ queryKey: PERSONAL });
      queries.removeQueries({ queryKey: PERSONAL });
      queries.setQueryData(inventoryQuery().queryKey, emptyInventory, { updatedAt: 0 });
      queries.setQueryData(favoriteQuery().queryKey, emptyMarks, { updatedAt: 0 });
      queries.setQueryData(checkQuery().queryKey, emptyMarks, { updatedAt: 0 });
    },
    clear() {
      queries.removeQueries({ queryKey: PERSONAL });
    },
  };
}
