import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { couponKeys } from "./couponKeys";

/** The API calls for coupons. Failures are `ApiError`s. */
export const coupons = {
  /** Claims a coupon by its code. A coupon that was claimed before is returned unchanged. */
  claim: (code: string) => call("POST", "/api/commerce/coupon/", { body: { code } }),

  /** Applies a coupon to the cart and replaces one of the same kind. Returns the cart. */
  apply: (id: number) => call("PUT", "/api/commerce/cart/coupon/{id}/", { params: { id } }),

  /** Removes a coupon from the cart. Returns the cart. */
  takeOff: (id: number) => call("DELETE", "/api/commerce/cart/coupon/{id}/", { params: { id } }),
};

/**
 * The account's coupons, and the best combination for its cart. Refetched on every use, because the
 * cart changes the discounts.
 */
export const couponsQuery = queryOptions({
  queryKey: couponKeys.list,
  queryFn: ({ signal }) => call("GET", "/api/commerce/coupon/", { signal }),
});

/** One coupon. A coupon that is neither public nor claimed is not found. */
export const couponQuery = (id: number) =>
  queryOptions({
    queryKey: couponKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/commerce/coupon/{id}/", { params: { id }, signal }),
  });
