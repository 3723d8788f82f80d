/** The site's addresses: what screens exist, how to write their URLs, where a redirect may go. */
export type * from "./handle";
export * from "./paths";
export * from "./redirect";
export * from "./screens";
export * from "./success";
