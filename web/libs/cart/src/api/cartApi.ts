import { call } from "@konomana/http";

/** The API calls for the cart of an account. Each returns the cart. Failures are `ApiError`s. */
export const cartApi = {
  cart: (signal?: AbortSignal) => call("GET", "/api/commerce/cart/", { signal }),

  /**
   * Adds a product for a learner. A product that is already in the cart for the learner stays as it
   * is. A `learner` of `null` means the first learner of the account.
   */
  add: (product: number, learner: string | null) =>
    call("POST", "/api/commerce/cart/line/", { body: { product, learner } }),

  /** Changes the learner of a line. */
  assign: (line: string, learner: string) =>
    call("PUT", "/api/commerce/cart/line/{id}/", { params: { id: line }, body: { learner } }),

  remove: (line: string) =>
    call("DELETE", "/api/commerce/cart/line/{id}/", { params: { id: line } }),

  /**
   * Adds the products of the visitor's cart, oldest first. Products that are already in the cart
   * are not added twice.
   */
  join: (products: readonly number[], signal?: AbortSignal) =>
    call("POST", "/api/commerce/cart/join/", { body: { products: [...products] }, signal }),
};
