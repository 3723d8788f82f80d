import { PERSONAL } from "@konomana/http";

const coupon = [...PERSONAL, "coupon"] as const;

/** The query keys of coupons. `all` is their common prefix. */
export const couponKeys = {
  all: coupon,
  list: [...coupon, "list"] as const,
  one: (id: number) => [...coupon, id] as const,
};
