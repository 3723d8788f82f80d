/** Coupons, as the API's document describes them. */
import type { Answer } from "@konomana/http";

/** Usable ones first, then used ones, then those that are over; and the best combination for the cart. */
export type CouponList = Answer<"GET", "/api/commerce/coupon/">;
export type Coupon = Answer<"GET", "/api/commerce/coupon/{id}/">;
/** Why a coupon takes nothing off the cart. */
export type CouponProblem = NonNullable<Coupon["problem"]>;
