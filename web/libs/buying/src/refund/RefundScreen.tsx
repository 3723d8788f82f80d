import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { EmptyState, Head, LoadingState, Stack, Text, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { refundQuoteQuery } from "../api";
import { RefundForm } from "./RefundForm";

/**
 * /mypage/history/{order}/refund: the refund quote of an order, and the button that requests the
 * refund.
 */
export function RefundScreen() {
  const { order: id = "" } = useParams();
  const query = useQuery({ ...refundQuoteQuery(id), gcTime: 0, refetchOnWindowFocus: false });
  return (
    <Stack gap="lg">
      <Head title="返金額の確認" />
      <TextLink to={paths.order(id)}>← ご注文の詳細にもどる</TextLink>
      <div>
        <Title order={1} size="h2">
          返金額の確認
        </Title>
        <Text mt="xxs">
          いま申し込むと戻る金額です。「返金を申し込む」を押すまで、何も変わりません。
        </Text>
      </div>
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="9rem" />}>
        {(quote) =>
          quote.is_refundable ? (
            <RefundForm id={id} quote={quote} />
          ) : (
            <EmptyState title="このご注文は、返金を申し込めません">
              {reasons[quote.reason ?? "NOT_PAID"]}
            </EmptyState>
          )
        }
      </QueryBoundary>
    </Stack>
  );
}

const reasons = {
  NOT_PAID: "お支払いがまだ済んでいないか、ご注文が終了しています。",
  ALL_REFUNDED: "すべての講座の返金の手続きが済んでいます。",
};
