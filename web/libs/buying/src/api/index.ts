/** The calls and queries of orders. */
export * from "./orders";
export { orderKeys } from "./orderKeys";
export type * from "./orderTypes";
export * from "./subscriptions";
export type * from "./subscriptionTypes";
