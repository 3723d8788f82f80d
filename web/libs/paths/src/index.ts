/**
 * The addresses of the site: how to build them, which domain owns which, and which redirect targets
 * are allowed.
 */
export { namesOf } from "./capabilities";
export type { Crumb } from "./crumb";
export * from "./paths";
export { queryString, type QueryValue } from "./queryString";
export * from "./redirect";
export { seller } from "./seller";
export * from "./success";
