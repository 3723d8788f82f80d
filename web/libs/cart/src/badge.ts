/** How much is in the cart of an account: the header loads it after the sign-in. */
export { AccountCount } from "./AccountCount";
