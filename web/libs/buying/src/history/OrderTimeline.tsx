import { formatDateTime, formatYen, Text, TitledPanel } from "@konomana/ui-base";
import type { Order, Refund } from "../api";
import { dueBy } from "../order/dueBy";
import { wordsOf } from "../order/orderPhase";

interface Step {
  /** The event, past or future. */
  name: string;
  /** RFC 3339. `null` if it has no time. */
  at: string | null;
  /** Whether `at` is a deadline. */
  isDeadline?: boolean;
  /** The id of the refund, which may have the amount and time of another one. */
  refund?: Refund["id"];
}

/** The events of an order in order. */
export function OrderTimeline({ order }: { order: Order }) {
  return (
    <TitledPanel gap="sm" title="これまでの流れ">
      <ol className="kn-timeline">
        {stepsOf(order).map(({ name, at, isDeadline, refund }) => (
          <li key={refund ?? name}>
            <Text bold>{name}</Text>
            {at !== null && (
              <Text size="sm" dimmed>
                <time dateTime={at}>{isDeadline ? `${dueBy(at)}まで` : formatDateTime(at)}</time>
              </Text>
            )}
          </li>
        ))}
      </ol>
    </TitledPanel>
  );
}

function stepsOf(order: Order): Step[] {
  const { state, placed_at, due_at, paid_at, ended_at, refunds, payment } = order;
  const steps: Step[] = [{ name: "ご注文を受け付けました", at: placed_at }];
  if (state === "awaiting_payment")
    steps.push({ name: "お支払いの期限", at: due_at, isDeadline: true });
  if (paid_at !== null)
    steps.push({
      name:
        payment.method === "coupon" ? "お支払いなしで注文が確定しました" : "お支払いが完了しました",
      at: paid_at,
    });
  const { preparation, begins } = wordsOf(order);
  if (state === "paid") steps.push({ name: `${preparation}の準備をしています`, at: null });
  if (state === "fulfilled" || state === "part_refunded") steps.push({ name: begins, at: null });
  if (state === "expired")
    steps.push({ name: "お支払いの期限が過ぎ、ご注文が終了しました", at: ended_at });
  if (state === "cancelled") steps.push({ name: "ご注文を取り消しました", at: ended_at });
  for (const { id, amount, requested_at } of refunds)
    steps.push({
      name: `${formatYen(amount)}の返金の手続きをしました`,
      at: requested_at,
      refund: id,
    });
  return steps;
}
