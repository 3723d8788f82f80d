import type { Product } from "@konomana/cart";
import { formatDate, formatLastDay, formatPrice, formatYen } from "@konomana/ui-base";
import type { Coupon, CouponProblem } from "../api";

/** The discount of a coupon: `15%引き（5,000円まで）`, `1,000円引き`. */
export function discountWords({ kind, percent, amount, cap }: Coupon["discount"]): string {
  if (kind === "fixed") return `${formatYen(amount ?? 0)}引き`;
  return `${percent ?? 0}%引き${cap === null ? "" : `（${formatYen(cap)}まで）`}`;
}

/** The period of a coupon: `2026年11月1日(日)から2027年1月31日(日)まで`. */
export function periodWords({ starts_at, ends_at }: Pick<Coupon, "starts_at" | "ends_at">): string {
  return `${formatDate(starts_at)}から${ends_at === null ? "、期限はありません" : `${formatLastDay(ends_at)}まで`}`;
}

const kindNames: Readonly<Record<Product["kind"], string>> = {
  course: "講座",
  subscription: "月額の講座",
  exam_seat: "模試（コノ模試）",
  konoshiki: "学習計画（コノシキ）",
  interview: "面談",
};

/**
 * The product kinds of a coupon that is not limited to single products. A subscription is never
 * discounted.
 */
export function kindsWords({ product_kinds }: Pick<Coupon, "product_kinds">): string {
  if (product_kinds === null) return "すべての商品（月額の講座をのぞきます）";
  return product_kinds.map((kind) => kindNames[kind]).join("、");
}

/** The minimum purchase: `対象の商品の合計が30,000円（税込）以上`. */
export function minimumWords({ minimum }: Pick<Coupon, "minimum">): string {
  return minimum === null ? "ありません" : `対象の商品の合計が${formatPrice(minimum)}以上`;
}

/** The other coupons that it can be combined with. */
export function combinationWords({ discount: { kind } }: Pick<Coupon, "discount">): string {
  return kind === "percent"
    ? "割引率（%）のクーポンは、1回のご注文に1枚です。金額（円）のクーポン1枚と、いっしょに使えます。"
    : "金額（円）のクーポンは、1回のご注文に1枚です。割引率（%）のクーポン1枚と、いっしょに使えます。";
}

const problems: Readonly<Record<CouponProblem, string>> = {
  MINIMUM: "カートの中の対象の商品が、クーポンを使える金額に足りません。",
  SCOPE: "カートの中に、このクーポンを使える商品がありません。",
  EXPIRED: "クーポンの有効期限が切れています。",
  NOT_STARTED: "まだ、クーポンを使える期間になっていません。",
  USED: "このクーポンは、もう使いました。",
  USED_UP: "先着の枚数に達したため、このクーポンは使えません。",
  EMPTY_CART: "カートに、購入できる商品がありません。",
  FIRST_ORDER_ONLY: "はじめてのご注文にだけ使えます。",
};

/** The reason why a coupon gives no discount on the cart. */
export function problemSentence(problem: CouponProblem): string {
  return problems[problem];
}

type Limited = Pick<Coupon, "problem" | "minimum" | "product_ids" | "product_kinds" | "starts_at">;

/**
 * The same reason with the known facts of the coupon and the cart. `subtotal` is the price of the
 * cart's lines.
 */
export function reasonOf(coupon: Limited, subtotal: number): string | null {
  const { problem, minimum, product_ids, product_kinds, starts_at } = coupon;
  if (problem === null) return null;
  const isForAll = product_ids === null && product_kinds === null;
  if (problem === "MINIMUM" && minimum !== null && isForAll && minimum > subtotal)
    return `あと${formatYen(minimum - subtotal)}分をカートに入れると使えます。`;
  if (problem === "MINIMUM" && minimum !== null) return `${minimumWords(coupon)}で使えます。`;
  if (problem === "NOT_STARTED") return `${formatDate(starts_at)}から使えます。`;
  return problemSentence(problem);
}
