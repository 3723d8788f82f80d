import { formatLastDay, formatSaleEnd, formatYen } from "@konomana/ui-base";
import type { Product } from "@konomana/cart";

/** The period of use of a product. Empty if it is unlimited. */
export function periodOf({
  kind,
  period_days: days,
}: Pick<Product, "kind" | "period_days">): string {
  if (kind === "subscription") return "1か月ごとに自動更新";
  if (kind === "exam_seat") return "受験 1回";
  return days === null ? "" : `利用期間 ${days}日間`;
}

/** The price of a product. For a subscription, the price per month. */
export function pricePerMonth({ kind, price }: Pick<Product, "kind" | "price">): string {
  return kind === "subscription" ? `月${formatYen(price)}` : formatYen(price);
}

/** The end of the sale or of an exam's application. Empty if it has none, or if it is not on sale. */
export function saleEndOf({
  kind,
  is_on_sale,
  sale_ends_at: end,
}: Pick<Product, "kind" | "is_on_sale" | "sale_ends_at">): string {
  if (end === null || !is_on_sale) return "";
  return kind === "exam_seat" ? `申し込みは${formatLastDay(end)}まで` : formatSaleEnd(end);
}
