/** Coupons for tests. */
import type { Coupon, CouponList } from "./api";

/**
 * A coupon of 15 % off everything, usable on a cart of 16,500 yen. `given` overrides its fields.
 */
export function couponOf(given: Partial<Coupon> = {}): Coupon {
  return {
    id: 2,
    code: "FUYU15",
    name: "冬の講習応援",
    description: "冬の講座を、まとめて始める方へ。",
    discount: { kind: "percent", percent: 15, amount: null, cap: 5000 },
    minimum: null,
    starts_at: "2026-10-31T15:00:00Z",
    ends_at: "2027-01-31T15:00:00Z",
    product_ids: null,
    product_kinds: null,
    per_account: 1,
    remaining_uses: 1,
    is_claimed: true,
    is_applied: false,
    state: "usable",
    saving: 2475,
    problem: null,
    used_at: null,
    used_order_id: null,
    ...given,
  };
}

/** A coupon of 1,000 yen off the first order. */
export const welcome = couponOf({
  id: 1,
  code: "WELCOME1000",
  name: "はじめての1,000円引き",
  discount: { kind: "fixed", percent: null, amount: 1000, cap: null },
  saving: 1000,
});

export function couponsOf(mine: readonly Coupon[], best: readonly number[] = []): CouponList {
  return { mine: [...mine], best: [...best] };
}
