import { PERSONAL } from "@konomana/http";

const coupon = [...PERSONAL, "coupon"] as const;

/** The keys of coupons. `all` begins every one of them. */
export const couponKeys = {
  all: coupon,
  list: [...coupon, "list"] as const,
  one: (id: number) => [...coupon, id] as const,
};
