import { Button, Panel, Stack, Text, TitledPanel } from "@konomana/ui-base";
import type { Order } from "../api";
import { isPaid, isUnpaid, phaseOf } from "../order/orderPhase";
import { Account, BankInstructions, TransferAnswers } from "./BankInstructions";
import { KonbiniCodes, KonbiniInstructions } from "./KonbiniInstructions";
import { Transfers } from "./Transfers";

/**
 * Instructions to pay an order at a convenience store or by bank transfer, and the received
 * transfers. They stay with the order, collapsed once it needs no payment.
 */
export function Instructions({ order }: { order: Order }) {
  const { konbini, bank_transfer: transfer } = order.payment;
  if (konbini === null && transfer === null) return null;
  return (
    <>
      {transfer !== null && <Transfers transfer={transfer} />}
      {isUnpaid(phaseOf(order)) ? <ToPay order={order} /> : <Record order={order} />}
    </>
  );
}

function ToPay({ order: { payment, total, due_at } }: { order: Order }) {
  const { konbini, bank_transfer: transfer } = payment;
  return (
    <TitledPanel gap="lg" title={konbini === null ? "振込先" : "コンビニでのお支払い方法"}>
      {konbini !== null && <KonbiniInstructions konbini={konbini} total={total} />}
      {transfer !== null && (
        <>
          <BankInstructions transfer={transfer} dueAt={due_at} />
          <TransferAnswers />
        </>
      )}
      <div data-screen-only>
        <Button variant="default" onClick={() => print()}>
          印刷する
        </Button>
      </div>
    </TitledPanel>
  );
}

/** The instructions of an order that is paid or has ended. */
function Record({ order }: { order: Order }) {
  const { konbini, bank_transfer: transfer } = order.payment;
  return (
    <Panel as="section">
      <details>
        <summary className="kn-fold">お支払いのご案内（控え）</summary>
        <Stack gap="md" mt="xs">
          <Text>
            {isPaid(phaseOf(order))
              ? "お支払いは済んでいます。もう一度支払う必要はありません。"
              : "このご注文は終了しています。お支払いにならないでください。"}
          </Text>
          <Stack as="dl" gap="sm">
            {konbini !== null && <KonbiniCodes konbini={konbini} />}
            {transfer !== null && <Account transfer={transfer} />}
          </Stack>
        </Stack>
      </details>
    </Panel>
  );
}
