import { type Cart, cartKeys, cartQuery } from "@konomana/cart";
import { ApiError, sentenceOf } from "@konomana/http";
import { showMessage } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";

/** Changes the cart; what the server answers is shown. `failed` is what could not be done. */
export function useCartChange<Variables>(
  change: (variables: Variables) => Promise<Cart>,
  failed: string,
) {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: cartKeys.cart,
    mutationFn: change,
    // Each answer is the whole cart: they are taken in the order of the presses.
    scope: { id: "cart" },
    onMutate: () => queries.cancelQueries(cartQuery),
    onSuccess: (cart) => queries.setQueryData(cartQuery.queryKey, cart),
    onError: async (error) => {
      showMessage(`${failed}${sentenceOf(error)}`);
      // The line may be gone, or belong to an order, since another device changed the cart.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500)
        await queries.invalidateQueries(cartQuery);
    },
  });
}
