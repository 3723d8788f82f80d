/** The cart count of an account, which the header loads after the sign-in. */
export { AccountCount } from "./AccountCount";
