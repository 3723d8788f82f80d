/** How many courses a cart takes. */
export const CART_LIMIT = 20;
