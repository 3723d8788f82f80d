/**
 * The visitor's cart in the browser, the cart of an account, the button that adds a product, and
 * the saved card.
 */
export { cardApi, cardQuery } from "./api/card";
export type * from "./api/cardTypes";
export { cartApi } from "./api/cartApi";
export { cartKeys } from "./api/cartKeys";
export { cartQuery } from "./api/cartQuery";
export type * from "./api/cartTypes";
export { monthlyOffersQuery, productOffersQuery, productQuery } from "./api/products";
export { CartButton } from "./CartButton";
export { CartCount } from "./CartCount";
export { cardExpiry, cardName } from "./cardName";
export { canBuy } from "./canBuy";
export { useUsableItems } from "./useUsableItems";
export { visitorCart } from "./visitorCart";
export { CART_LIMIT, useVisitorCart } from "./visitorCartStore";
