import { expect, test } from "vitest";
import { couponOf } from "../couponTesting";
import { discountWords, kindsWords, minimumWords, periodWords, reasonOf } from "./couponWords";

test("a discount is shown with its cap", () => {
  const percent = { kind: "percent", percent: 15, amount: null, cap: 5000 } as const;
  expect(discountWords(percent)).toBe("15%引き（5,000円まで）");
  expect(discountWords({ ...percent, cap: null })).toBe("15%引き");
  expect(discountWords({ kind: "fixed", percent: null, amount: 1000, cap: null })).toBe(
    "1,000円引き",
  );
});

test("a coupon that ends at midnight in Tokyo ends on the day before", () => {
  const starts_at = "2026-10-31T15:00:00Z";
  expect(periodWords({ starts_at, ends_at: "2027-01-31T15:00:00Z" })).toBe(
    "2026年11月1日(日)から2027年1月31日(日)まで",
  );
  expect(periodWords({ starts_at, ends_at: null })).toMatch(/期限はありません$/);
});

test("products and minimum are described in words", () => {
  expect(kindsWords({ product_kinds: null })).toBe("すべての商品（月額の講座をのぞきます）");
  expect(kindsWords({ product_kinds: ["exam_seat", "course"] })).toBe("模試（コノ模試）、講座");
  expect(minimumWords({ minimum: 30_000 })).toBe("対象の商品の合計が30,000円（税込）以上");
});

test("a coupon that does not apply names what is missing, as far as it is known", () => {
  const siblings = couponOf({ minimum: 30_000, problem: "MINIMUM" });
  expect(reasonOf(siblings, 16_500)).toBe("あと13,500円分をカートに入れると使えます。");
  expect(reasonOf({ ...siblings, product_kinds: ["course"] }, 16_500)).toBe(
    "対象の商品の合計が30,000円（税込）以上で使えます。",
  );
  expect(reasonOf(couponOf({ problem: "NOT_STARTED" }), 0)).toBe("2026年11月1日(日)から使えます。");
  expect(reasonOf(couponOf(), 16_500)).toBeNull();
});
