import { type Cart, cartKeys, cartQuery } from "@konomana/cart";
import { ApiError, sentenceOf } from "@konomana/http";
import { showMessage } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/**
 * Mutation of the cart that stores the returned cart in the cache. `failed` is the title of the
 * error message.
 */
export function useCartChange<Variables>(
  change: (variables: Variables) => Promise<Cart>,
  failed: string,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: cartKeys.cart,
    mutationFn: change,
    // Each answer is the whole cart, so the calls run one after the other.
    scope: { id: "cart" },
    onMutate: () => queries.cancelQueries(cartQuery),
    onSuccess: (cart) => queries.setQueryData(cartQuery.queryKey, cart),
    onError: async (error) => {
      showMessage(`${failed}${sentenceOf(error)}`);
      // Another device may have changed the cart: the line may be gone or be part of an order.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        await queries.invalidateQueries(cartQuery);
    },
  });
}
