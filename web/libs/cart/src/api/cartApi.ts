import { call } from "@konomana/http";

/** What is done with the cart of an account, call by call; each answers the cart. Failures are `ApiError`s. */
export const cartApi = {
  cart: (signal?: AbortSignal) => call("GET", "/api/commerce/cart/", { signal }),

  /** A product that is in the cart for the learner is left as it is. `null` is the first learner of the account. */
  add: (product: number, learner: string | null) =>
    call("POST", "/api/commerce/cart/line/", { body: { product, learner } }),

  /** Changes whom a line is for. */
  assign: (line: string, learner: string) =>
    call("PUT", "/api/commerce/cart/line/{id}/", { params: { id: line }, body: { learner } }),

  remove: (line: string) =>
    call("DELETE", "/api/commerce/cart/line/{id}/", { params: { id: line } }),

  /** Adds what a visitor had in the cart, oldest first. What the cart has already stays there once. */
  join: (products: readonly number[], signal?: AbortSignal) =>
    call("POST", "/api/commerce/cart/join/", { body: { products: [...products] }, signal }),
};
