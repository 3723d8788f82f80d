/** The API calls and queries of orders and coupons, and sending the cart to a guardian. */
export { askGuardians } from "./askGuardians";
export * from "./coupons";
export { couponKeys } from "./couponKeys";
export type * from "./couponTypes";
export * from "./orderCalls";
export * from "./refunds";
export { orderKeys } from "./orderKeys";
export type * from "./orderTypes";
export * from "./subscriptions";
export type * from "./subscriptionTypes";
