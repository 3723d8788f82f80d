import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Order, orderQuery, orders } from "../api";
import { invalidateBeside } from "./invalidateBeside";

/** Cancels an unpaid order. `onCancelled` is not called if the order was paid meanwhile. */
export function useCancelOrder({ id }: Order, onCancelled: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () => orders.cancel(id),
    onSuccess: (now) => {
      queries.setQueryData(orderQuery(id).queryKey, now);
      invalidateBeside(queries, now);
      if (now.state === "cancelled") onCancelled();
    },
  });
}
