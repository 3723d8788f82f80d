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

/** What is kept of the signed-in person's own data. The session says when it comes and when it goes. */
export interface PersonalData {
  /** On user load, inventory, favorites and checks are fetched together (the specification, §4). */
  load(): Promise<void>;
  /**
   * Forgets everything that belonged to the person: inventory, favorites and checks are reset to empty
   * defaults (the specification, §4), already out of date, so that the next person's are fetched at once.
   */
  reset(): void;
  /** Clears the empty defaults away before somebody's own data arrives, so that no list is shown as empty. */
  expect(): void;
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
    expect() {
      queries.removeQueries({ queryKey: PERSONAL });
    },
  };
}
