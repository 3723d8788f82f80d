import { paths } from "@konomana/paths";
import { QueryBoundary, SaveFileButton } from "@konomana/query";
import { Button, Group, Head, LoadingState, Stack, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { returnInvoicePdf, returnInvoiceQuery } from "../api";
import { ReturnInvoiceSheet } from "./ReturnInvoiceSheet";

/** /mypage/history/{order}/refund/{refund}: the printable return invoice (適格返還請求書) of a refund. */
export function ReturnInvoiceScreen() {
  const { order = "", refund = "" } = useParams();
  const query = useQuery(returnInvoiceQuery(order, refund));
  return (
    <Stack gap="lg">
      <Head title="返還インボイス" />
      <TextLink to={paths.order(order)} className="kn-start" data-screen-only>
        ← ご注文の詳細にもどる
      </TextLink>
      <Title order={1} size="h2" data-screen-only>
        返還インボイス（適格返還請求書）
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={1} height="24rem" />}>
        {(invoice) => (
          <>
            <Group actions data-screen-only>
              <Button onClick={() => print()}>印刷する</Button>
              <SaveFileButton
                name={`return-invoice-${invoice.number}.pdf`}
                load={() => returnInvoicePdf(order, refund)}
                what="PDF"
              />
            </Group>
            <ReturnInvoiceSheet invoice={invoice} />
          </>
        )}
      </QueryBoundary>
    </Stack>
  );
}
