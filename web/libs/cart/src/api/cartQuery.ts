import { ApiError } from "@konomana/http";
import { withLock } from "@konomana/browser";
import { showMessage } from "@konomana/ui-base";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { visitorCart } from "../visitorCart";
import { CART_LIMIT } from "../visitorCartStore";
import { cartApi } from "./cartApi";
import { cartKeys } from "./cartKeys";
import type { Cart } from "./cartTypes";

/**
 * Another device may change the cart. A stale time of one minute avoids a request on every page
 * change.
 */
const FRESH_MS = 60_000;

/**
 * The cart of the account. The visitor's cart joins it here, so no screen shows one without the
 * other. After a failure the visitor's cart stays in the browser, and the next fetch joins it.
 */
export const cartQuery = queryOptions({
  queryKey: cartKeys.cart,
  queryFn: ({ client, signal }) =>
    visitorCart.get().length === 0
      ? cartApi.cart(signal)
      : // Two tabs that notice a sign-in at the same time join in turn.
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
    // Set before the browser removes them, so no screen misses them in both carts.
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

/** Tells the person which of the visitor's products did not fit into the cart. */
function tellLeftOut({ lines }: Cart, products: readonly number[]): void {
  if (lines.length < CART_LIMIT) return;
  const inCart = new Set(lines.map(({ product }) => product.id));
  const leftOut = products.filter((id) => !inCart.has(id)).length;
  if (leftOut > 0)
    showMessage(
      `カートがいっぱいのため、ログインの前に選んだ講座のうち${leftOut}件は入りませんでした。`,
    );
}
