import type { Order } from "../api";
import { ORDER, orderOf, paidOrder } from "../orderTesting";

export const LIST = "/mypage/history";
export const DETAIL = `${LIST}/${ORDER}`;
export const RECEIPT = `${DETAIL}/purchase`;
export const FIND = "GET commerce/order/{id}/";
export const FIND_RECEIPT = "GET commerce/order/{id}/receipt/";
export const coupons = [{ id: 2, name: "冬の講習応援", amount: 2475 }];

export const discounted = (given: Partial<Order> = {}) =>
  paidOrder({
    lines: orderOf().lines.map((line) => ({ ...line, discount: 2475 })),
    discount: 2475,
    coupons,
    total: 14_025,
    tax: 1275,
    ...given,
    payment: { state: "succeeded" },
  });
