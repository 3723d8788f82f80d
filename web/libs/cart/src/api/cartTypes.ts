/** Types of the cart, from the API document. */
import type { Answer } from "@konomana/http";

export type Cart = Answer<"GET", "/api/commerce/cart/">;
/** A product for a learner, with its current price. */
export type CartLine = Cart["lines"][number];
/** The reason why a line can't be bought. */
export type LineProblem = NonNullable<CartLine["problem"]>;
/** A learner whom the account may buy for. */
export type CartLearner = Cart["learners"][number];
/** A coupon on the cart: its discount, or the reason why it gives none. */
export type CartCoupon = Cart["coupons"][number];
/** The order that awaits its payment. */
export type OpenOrder = NonNullable<Cart["open_order"]>;

export type Product = Answer<"GET", "/api/commerce/product/{id}/">;
