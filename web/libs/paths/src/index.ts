/** The site's addresses: how to write them, which domain has which, where a redirect may go, what is open at them. */
export { namesOf } from "./capabilities";
export type { Crumb } from "./crumb";
export * from "./paths";
export * from "./redirect";
export { seller } from "./seller";
export * from "./success";
