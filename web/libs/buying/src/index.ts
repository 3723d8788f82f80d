/** Buying: the cart, the confirmation, the payment, and the orders. */
export { screens } from "./buyingScreens";
