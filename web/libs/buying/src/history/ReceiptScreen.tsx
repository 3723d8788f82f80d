import { paths } from "@konomana/paths";
import { QueryBoundary, SaveFileButton } from "@konomana/query";
import { Button, Group, Head, LoadingState, Stack, Text, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { type Receipt, receiptPdf, receiptQuery } from "../api";
import { AddresseeForm } from "./AddresseeForm";
import { ReceiptSheet } from "./ReceiptSheet";

/**
 * /mypage/history/{order}/purchase: the printable receipt of a paid order, which is also its
 * qualified invoice.
 */
export function ReceiptScreen() {
  const { order: id = "" } = useParams();
  const query = useQuery(receiptQuery(id));
  return (
    <Stack gap="lg">
      <Head title="領収書" />
      <TextLink to={paths.order(id)} className="kn-start" data-screen-only>
        ← ご注文の詳細にもどる
      </TextLink>
      <QueryBoundary query={query} loading={<ReceiptLoading />}>
        {(receipt) => <Issued id={id} receipt={receipt} />}
      </QueryBoundary>
    </Stack>
  );
}

function ReceiptLoading() {
  return (
    <>
      <Heading />
      <LoadingState rows={1} height="24rem" />
    </>
  );
}

function Heading() {
  return (
    <Title order={1} size="h2" data-screen-only>
      領収書（適格請求書）
    </Title>
  );
}

interface IssuedProps {
  id: string;
  receipt: Receipt;
}

/** The receipt, or the form for the addressee until it is issued. */
function Issued({ id, receipt }: IssuedProps) {
  const [changing, setChanging] = useState(false);
  if (receipt.addressee === null)
    return (
      <>
        <Heading />
        <Text>
          宛名を入力すると、領収書を発行します。適格請求書（インボイス）としても使えます。
        </Text>
        <AddresseeForm id={id} submit="領収書を発行する" />
      </>
    );
  return (
    <>
      <Heading />
      <Group actions data-screen-only>
        <Button onClick={() => print()}>印刷する</Button>
        <SaveFileButton
          name={`receipt-${receipt.number}.pdf`}
          load={() => receiptPdf(id)}
          what="PDF"
        />
      </Group>
      <ReceiptSheet receipt={{ ...receipt, addressee: receipt.addressee }} />
      {changing ? (
        <>
          <Text data-screen-only>
            宛名を変えると、新しい領収書に「再発行」と表示されます。前に印刷した領収書は、お使いにならないでください。
          </Text>
          <AddresseeForm
            id={id}
            addressee={receipt.addressee}
            submit="再発行する"
            onIssued={() => setChanging(false)}
          />
        </>
      ) : (
        <div>
          <Button variant="default" onClick={() => setChanging(true)}>
            宛名を変えて再発行する
          </Button>
        </div>
      )}
    </>
  );
}
