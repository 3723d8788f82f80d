/** Types of coupons, from the API document. */
import type { Answer } from "@konomana/http";

/**
 * The account's coupons (usable, then used, then expired ones), and the best combination for the
 * cart.
 */
export type CouponList = Answer<"GET", "/api/commerce/coupon/">;
export type Coupon = Answer<"GET", "/api/commerce/coupon/{id}/">;
/** The reason why a coupon gives no discount on the cart. */
export type CouponProblem = NonNullable<Coupon["problem"]>;
