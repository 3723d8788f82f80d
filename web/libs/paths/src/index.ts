/** The site's addresses: how to write them, which domain has which, where a redirect may go. */
export type { Crumb } from "./crumb";
export * from "./paths";
export * from "./redirect";
export * from "./success";
