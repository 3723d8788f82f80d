import { paths } from "@konomana/paths";
import { Alert, formatDate, formatYen, Group, Stack, TextLink } from "@konomana/ui-base";
import type { Order, Refund } from "../api";
import { arrivalOf } from "./refundArrival";

/** Money that goes back, whatever the reason. */
export function Refunds({ order }: { order: Order }) {
  return (
    <Stack gap="sm">
      {order.refunds.map((refund) => (
        <Alert
          key={refund.id}
          color={refund.state === "failed" ? "red" : "blue"}
          title={titles[refund.state]}
        >
          <p>
            {formatDate(refund.requested_at)}、{reasons[refund.reason](formatYen(refund.amount))}
            {refund.state === "failed" ? FAILED : arrivalOf(order.payment.method)}
          </p>
          <Group gap="0rem 1.25rem">
            {refund.state === "failed" && (
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
      ))}
    </Stack>
  );
}

const titles: Readonly<Record<Refund["state"], string>> = {
  pending: "返金の手続きをしています",
  needs_details: "返金先の口座をお知らせください",
  succeeded: "返金しました",
  failed: "返金の手続きを確認しています",
};

const reasons: Readonly<Record<Refund["reason"], (yen: string) => string>> = {
  late: (yen) => `このご注文に使わなかったお支払い ${yen}を、全額お返しする手続きをしました。`,
  excess: (yen) => `多くお支払いいただいた${yen}を、お返しする手続きをしました。`,
  buyer: (yen) => `お申し込みにより、${yen}を返金する手続きをしました。`,
  outside: (yen) => `コノマナの担当者が、${yen}を返金する手続きをしました。`,
  duplicate: (yen) =>
    `同じ商品が、生徒ご本人または保護者の方の別のご注文で先に支払われていたため、${yen}を全額お返しする手続きをしました。`,
  dispute: (yen) => `カード会社への申し立てにより、${yen}をお返しする手続きをしました。`,
};

const FAILED =
  "返金が受け付けられなかったため、担当者がべつの方法で返金します。お急ぎのときは、お問い合わせください。";
