/** The calls of the account's screens. */
export { entry } from "./entry";
export type * from "./accountTypes";
