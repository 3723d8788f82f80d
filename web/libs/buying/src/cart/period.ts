import { formatYen } from "@konomana/ui-base";
import type { Product } from "@konomana/cart";

/** For how long something can be used; empty where nothing limits it. */
export function periodOf({
  kind,
  period_days: days,
}: Pick<Product, "kind" | "period_days">): string {
  if (kind === "subscription") return "1か月ごとに自動更新";
  if (kind === "exam_seat") return "受験 1回";
  return days === null ? "" : `利用期間 ${days}日間`;
}

/** What something costs; of a subscription, a month. */
export function pricePerMonth({ kind, price }: Pick<Product, "kind" | "price">): string {
  return kind === "subscription" ? `月${formatYen(price)}` : formatYen(price);
}
