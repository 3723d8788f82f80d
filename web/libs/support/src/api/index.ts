/** The calls of the desk's screens. */
export { desk, NOTICE_FEED } from "./desk";
export type * from "./types";
