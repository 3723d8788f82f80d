import { paths } from "@konomana/paths";
import { Alert, formatDate, formatYen, Group, Stack, TextLink } from "@konomana/ui-base";
import type { Order, Refund } from "../api";
import { arrivalOf } from "./refundArrival";
import { RetryRefund } from "./RetryRefund";

/** The refunds of an order. */
export function Refunds({ order }: { order: Order }) {
  return (
    <Stack gap="sm">
      {order.refunds.map((refund) => (
        <RefundAlert key={refund.id} order={order} refund={refund} />
      ))}
    </Stack>
  );
}

function RefundAlert({ order, refund }: { order: Order; refund: Refund }) {
  const isOpenFailure = refund.state === "failed" && !refund.is_replaced;
  return (
    <Alert color={isOpenFailure ? "red" : "blue"} title={titleOf(refund)}>
      <p>
        {formatDate(refund.requested_at)}、{reasons[refund.reason](formatYen(refund.amount))}
        {outcomeOf(refund) ?? arrivalOf(order.payment.method)}
      </p>
      {refund.can_retry && <RetryRefund order={order.id} refund={refund.id} />}
      <Group gap="0rem 1.25rem">
        {isOpenFailure && (
          <TextLink inline to={paths.contact()}>
            お問い合わせ
          </TextLink>
        )}
        {refund.has_invoice && (
          <TextLink inline to={paths.returnInvoice(order.id, refund.id)}>
            返還インボイス
          </TextLink>
        )}
      </Group>
    </Alert>
  );
}

const titles: Readonly<Record<Refund["state"], string>> = {
  pending: "返金の手続きをしています",
  needs_details: "返金先の口座をお知らせください",
  succeeded: "返金しました",
  failed: "返金の手続きを確認しています",
  overtaken: "別の返金に切り替わりました",
};

function titleOf(refund: Refund): string {
  if (refund.is_replaced) return "返金できなかったため、やり直しました";
  if (refund.can_retry) return "返金先の口座に振り込めませんでした";
  return titles[refund.state];
}

/**
 * The outcome of a refund. `undefined`: the default text about the arrival of the money is shown.
 */
function outcomeOf({ state, can_retry, is_replaced }: Refund): string | undefined {
  if (is_replaced) return "この返金はできなかったため、次の返金でやり直しました。";
  if (can_retry)
    return "口座に振り込めなかったか、期限までに口座のご入力がなかったため、返金できませんでした。お金はお預かりしています。下のボタンを押すと、口座をおたずねするメールがもう一度届きます。";
  if (state === "failed")
    return "返金が受け付けられなかったため、担当者がべつの方法で返金します。お急ぎのときは、お問い合わせください。";
  if (state === "overtaken")
    return "そのあと、同じお支払いが別の返金またはカード会社の決定で戻ることになったため、この手続きは取りやめました。このページのほかの返金をご覧ください。";
}

const reasons: Readonly<Record<Refund["reason"], (yen: string) => string>> = {
  late: (yen) => `このご注文に使わなかったお支払い ${yen}を、全額お返しする手続きをしました。`,
  excess: (yen) => `多くお支払いいただいた${yen}を、お返しする手続きをしました。`,
  buyer: (yen) => `お申し込みにより、${yen}を返金する手続きをしました。`,
  outside: (yen) => `コノマナの担当者が、${yen}を返金する手続きをしました。`,
  duplicate: (yen) =>
    `同じ商品が、生徒ご本人または保護者の方の別のご注文で先に支払われていたため、${yen}を全額お返しする手続きをしました。`,
  dispute: (yen) => `カード会社への申し立てにより、${yen}をお返しする手続きをしました。`,
};
