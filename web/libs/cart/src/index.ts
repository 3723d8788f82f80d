/** The cart of a visitor, which the browser keeps, and of an account; and the button that puts a course into it. */
export { cartApi } from "./api/cartApi";
export { cartKeys } from "./api/cartKeys";
export { cartQuery } from "./api/cartQuery";
export type * from "./api/cartTypes";
export { productOffersQuery, productQuery } from "./api/products";
export { CartButton } from "./CartButton";
export { CartCount } from "./CartCount";
export { canBuy } from "./canBuy";
export { useUsableItems } from "./useUsableItems";
export { CART_LIMIT, useVisitorCart, visitorCart } from "./visitorCart";
