import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { couponKeys } from "./couponKeys";

/** What is done with coupons, call by call. Failures are `ApiError`s. */
export const coupons = {
  /** A coupon that was claimed before is returned as it is. */
  claim: (code: string) => call("POST", "/api/commerce/coupon/", { body: { code } }),

  /** Applies a coupon to the cart, in place of another one of its kind. Returns the cart. */
  apply: (id: number) => call("PUT", "/api/commerce/cart/coupon/{id}/", { params: { id } }),

  /** Returns the cart. */
  takeOff: (id: number) => call("DELETE", "/api/commerce/cart/coupon/{id}/", { params: { id } }),
};

/** The account's coupons, and the best combination for its cart. The cart changes what they save: always asked anew. */
export const couponsQuery = queryOptions({
  queryKey: couponKeys.list,
  queryFn: ({ signal }) => call("GET", "/api/commerce/coupon/", { signal }),
});

/** One coupon; one that is neither public nor claimed is not found. */
export const couponQuery = (id: number) =>
  queryOptions({
    queryKey: couponKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/commerce/coupon/{id}/", { params: { id }, signal }),
  });
