/** The cart of a visitor and of an account, as every page shows it. */
export { CART_LIMIT } from "./limit";
