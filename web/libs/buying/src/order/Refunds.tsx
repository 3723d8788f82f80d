import { paths } from "@konomana/paths";
import { Alert, formatDate, formatYen, Stack, TextLink } from "@konomana/ui-base";
import type { Refund } from "../api";

/** Money that came too late or twice, and goes back. */
export function Refunds({ refunds }: { refunds: readonly Refund[] }) {
  return (
    <Stack gap="sm">
      {refunds.map((refund) => (
        <Alert
          key={refund.requested_at}
          color={refund.state === "failed" ? "red" : "blue"}
          title={titles[refund.state]}
        >
          <p>
            {formatDate(refund.requested_at)}、このご注文に使わなかったお支払い{" "}
            {formatYen(refund.amount)}を、お支払いのカードに全額お返しする手続きをしました。
            {sentences[refund.state]}
          </p>
          {refund.state === "failed" && (
            <TextLink inline to={paths.contact()}>
              お問い合わせ
            </TextLink>
          )}
        </Alert>
      ))}
    </Stack>
  );
}

const titles: Readonly<Record<Refund["state"], string>> = {
  pending: "お支払いを返金しています",
  succeeded: "お支払いを返金しました",
  failed: "返金の手続きを確認しています",
};

const sentences: Readonly<Record<Refund["state"], string>> = {
  pending: "カードの明細に出るまで、数日かかることがあります。",
  succeeded: "カードの明細に出るまで、数日かかることがあります。",
  failed:
    "カード会社が返金を受け付けなかったため、担当者がべつの方法で返金します。お急ぎのときは、お問い合わせください。",
};
