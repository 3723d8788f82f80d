/** The calls and queries of orders. */
export * from "./orders";
export * from "./refunds";
export { orderKeys } from "./orderKeys";
export type * from "./orderTypes";
