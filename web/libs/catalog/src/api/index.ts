/** The calls of the catalogue's screens. */
export { catalogue } from "./catalogue";
export { catalogueKeys } from "./keys";
export type * from "./catalogTypes";
