import type { OpenOrder } from "@konomana/cart";
import { paths } from "@konomana/paths";
import { ButtonLink, formatPrice, Group, Text, TitledPanel } from "@konomana/ui-base";
import { dueBy } from "../order/dueBy";

/** The order that awaits its payment, with links to pay and to view it. */
export function OpenOrderPanel({ order }: { order: OpenOrder }) {
  return (
    <TitledPanel gap="sm" title="お支払い手続き中のご注文">
      <Text>
        ご注文番号 {order.number}・{formatPrice(order.total)}
      </Text>
      <Text>{dueBy(order.due_at)}までに、お支払いを済ませてください。</Text>
      <Group actions gap="sm">
        <ButtonLink to={paths.payment(order.id)}>支払いを続ける</ButtonLink>
        <ButtonLink to={paths.order(order.id)} variant="default">
          注文の詳細
        </ButtonLink>
      </Group>
    </TitledPanel>
  );
}
