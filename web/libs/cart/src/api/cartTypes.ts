/** The cart, as the API's document describes it. */
import type { Answer } from "@konomana/http";

export type Cart = Answer<"GET", "/api/commerce/cart/">;
/** A product for a learner, priced now. */
export type CartLine = Cart["lines"][number];
/** Why a line can't be bought. */
export type LineProblem = NonNullable<CartLine["problem"]>;
/** A learner whom the account may buy for. */
export type CartLearner = Cart["learners"][number];
/** A coupon on the cart: what it takes off, or why it takes nothing off. */
export type CartCoupon = Cart["coupons"][number];
/** The order that awaits its payment. */
export type OpenOrder = NonNullable<Cart["open_order"]>;

export type Product = Answer<"GET", "/api/commerce/product/{id}/">;
