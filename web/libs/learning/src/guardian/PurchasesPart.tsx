import type { Overview } from "../api";
import { formatDate, formatPrice, Group, Lines, Note, Text } from "@konomana/ui-base";

type Purchases = NonNullable<Overview["purchases"]>;

/** States of an order, in words. The server leaves out expired and cancelled orders. */
const states: Readonly<Record<Purchases[number]["state"], string>> = {
  awaiting_payment: "お支払い待ち",
  paid: "準備中",
  fulfilled: "購入済み",
  expired: "期限切れ",
  cancelled: "取り消し",
  part_refunded: "一部返金",
  refunded: "返金済み",
};

/** What was bought for a learner, by anyone, newest first. */
export function PurchasesPart({ purchases }: { purchases: Purchases }) {
  if (purchases.length === 0) return <Text>まだ購入したものはありません。</Text>;
  return (
    <Lines>
      {purchases.map(({ name, placed_at, state, amount }) => (
        <Group key={`${placed_at} ${name}`} as="li" gap="0.25rem 1rem" justify="space-between">
          <div>
            <Text bold>{name}</Text>
            <Note>
              {formatDate(placed_at)}・{states[state]}
            </Note>
          </div>
          <Text>{formatPrice(amount)}</Text>
        </Group>
      ))}
    </Lines>
  );
}
