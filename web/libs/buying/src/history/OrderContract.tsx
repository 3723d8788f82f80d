import { paths } from "@konomana/paths";
import { formatDateTime, Note, Text, TextLink, TitledPanel } from "@konomana/ui-base";
import type { Order } from "../api";
import { ContractDocument } from "../order/ContractDocument";
import { isPaid, phaseOf } from "../order/orderPhase";

/** The contract document (契約書面) of an order of a 特定継続的役務, as it was shown before the order. */
export function OrderContract({ order }: { order: Order }) {
  const { id, number, placed_at, confirmation } = order;
  const sections = confirmation?.document.contract;
  if (sections === undefined) return null;
  return (
    <TitledPanel title="契約書面（特定継続的役務提供）" gap="sm">
      <Text>
        ご契約の日：<time dateTime={placed_at}>{formatDateTime(placed_at)}</time>
        （ご注文番号 {number}）
      </Text>
      <Note>受講する方と金額の内訳は、「ご注文の内容」にあります。</Note>
      <ContractDocument sections={sections} />
      {isPaid(phaseOf(order)) && (
        <TextLink to={paths.refund(id)}>クーリング・オフ・中途解約で戻る金額を確かめる</TextLink>
      )}
    </TitledPanel>
  );
}
