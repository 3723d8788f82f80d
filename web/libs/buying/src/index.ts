/** Buying courses: the cart, the confirmation, the payment, and the orders that were placed. */
export { screens } from "./buyingScreens";
