/** The API calls of the catalogue's screens. */
export { catalogue } from "./catalogue";
export { catalogueKeys } from "./catalogKeys";
export type * from "./catalogTypes";
