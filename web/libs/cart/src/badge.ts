/** How much is in the cart of an account: what the header loads once somebody is signed in. */
export { AccountCount } from "./AccountCount";
