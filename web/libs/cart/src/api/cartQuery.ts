import { ApiError } from "@konomana/http";
import { withLock } from "@konomana/browser";
import { showMessage } from "@konomana/ui-base";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { visitorCart } from "../visitorCart";
import { CART_LIMIT } from "../visitorCartStore";
import { cartApi } from "./cartApi";
import { cartKeys } from "./cartKeys";
import type { Cart } from "./cartTypes";

/** Another device may change the cart; a minute keeps page changes quiet. */
const FRESH_MS = 60_000;

/**
 * The cart of the account. What was put into the cart before the sign-in joins it here, so that no screen shows the one
 * without the other. A failure leaves the visitor's cart in the browser; the next try joins it.
 */
export const cartQuery = queryOptions({
  queryKey: cartKeys.cart,
  queryFn: ({ client, signal }) =>
    visitorCart.get().length === 0
      ? cartApi.cart(signal)
      : // Two tabs that notice a sign-in at the same time join one after the other.
        withLock("konomana.cart", () => joinVisitorCart(client, signal)),
  staleTime: FRESH_MS,
  refetchOnWindowFocus: true,
});

async function joinVisitorCart(client: QueryClient, signal: AbortSignal): Promise<Cart> {
  visitorCart.reload();
  const products = visitorCart.get();
  if (products.length === 0) return cartApi.cart(signal);
  try {
    const cart = await cartApi.join(products, signal);
    // Before the browser forgets them, so that no screen shows them in neither cart meanwhile.
    client.setQueryData(cartKeys.cart, cart);
    visitorCart.forget(products);
    tellLeftOut(cart, products);
    return cart;
  } catch (error) {
    // A guardian without a child: the courses stay in the browser until a learner is linked.
    if (error instanceof ApiError && error.code === "NO_LEARNER") return cartApi.cart(signal);
    throw error;
  }
}

/** A full cart takes no more of what a visitor had chosen. */
function tellLeftOut({ lines }: Cart, products: readonly number[]): void {
  if (lines.length < CART_LIMIT) return;
  const inCart = new Set(lines.map(({ product }) => product.id));
  const leftOut = products.filter((id) => !inCart.has(id)).length;
  if (leftOut > 0)
    showMessage(
      `カートがいっぱいのため、ログインの前に選んだ講座のうち${leftOut}件は入りませんでした。`,
    );
}
