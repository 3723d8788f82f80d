/** The calls and queries of orders and coupons. */
export * from "./coupons";
export { couponKeys } from "./couponKeys";
export type * from "./couponTypes";
export * from "./orders";
export { orderKeys } from "./orderKeys";
export type * from "./orderTypes";
