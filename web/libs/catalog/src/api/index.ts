/** The calls of the catalogue's screens. */
export { catalogue } from "./catalogue";
export type * from "./types";
