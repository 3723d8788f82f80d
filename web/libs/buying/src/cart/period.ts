import { formatYen } from "@konomana/ui-base";
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
