import { formatDate, formatLastDay, formatYen } from "@konomana/ui-base";
import type { Subscription } from "../api";

type Dates = Pick<
  Subscription,
  "state" | "price" | "next_charge_at" | "ends_at" | "current_period_end" | "retry_at"
>;

/** The next event of a subscription, in one sentence. */
export function nextSentence(subscription: Dates): string {
  const { state, price, next_charge_at: charge, retry_at: retry } = subscription;
  switch (state) {
    case "incomplete":
      return "最初のお支払いを確認しています。";
    case "active":
      return charge === null
        ? ""
        : `次のお支払いは${formatDate(charge)}、${formatYen(price)}です。`;
    case "past_due":
      return retry === null
        ? "カードに請求できませんでした。"
        : `カードに請求できませんでした。${formatDate(retry)}に、もう一度請求します。`;
    case "cancel_scheduled":
      return `${usableUntil(subscription)}次のお支払いはありません。`;
    case "ended":
      return subscription.ends_at === null
        ? ""
        : `${formatLastDay(subscription.ends_at)}に終了しました。`;
  }
}

/** The end of a subscription that is not renewed. */
export function usableUntil({
  ends_at,
  current_period_end,
}: Pick<Subscription, "ends_at" | "current_period_end">): string {
  const end = ends_at ?? current_period_end;
  return end === null ? "" : `${formatLastDay(end)}まで、これまでどおり使えます。`;
}
