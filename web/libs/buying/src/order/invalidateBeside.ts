import { cartKeys } from "@konomana/cart";
import { inventoryKeys } from "@konomana/learner";
import type { QueryClient } from "@tanstack/react-query";
import type { Order } from "../api";

/** Invalidates the data that depends on an order's state: the cart and the owned courses. */
export function invalidateBeside(queries: QueryClient, { state }: Order): void {
  void queries.invalidateQueries({ queryKey: cartKeys.cart });
  if (state !== "paid") void queries.invalidateQueries({ queryKey: inventoryKeys.lists });
}
