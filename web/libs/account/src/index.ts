/** Accounts: signing in. */
export { routes } from "./routes";
