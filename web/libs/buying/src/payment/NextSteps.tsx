import { TitledPanel } from "@konomana/ui-base";
import type { Order } from "../api";
import { dueBy } from "../order/dueBy";
import { isExamsOnly } from "../order/orderPhase";

/** The steps between the order and the first lesson, for a payment at a store or a bank. */
export function NextSteps({ order }: { order: Order }) {
  const { payment, due_at } = order;
  const pay = payment.method === "konbini" ? "コンビニで支払います" : "口座に振り込みます";
  return (
    <TitledPanel gap="xs" title="これからの流れ">
      <ol className="kn-bullets">
        <li>
          {dueBy(due_at)}までに、{pay}。期限が近づくと、メールでもお知らせします。
        </li>
        <li>お支払いを確認できると、メールでお知らせします。領収書も発行できるようになります。</li>
        <li>
          {isExamsOnly(order)
            ? "マイページの「模試」から、受験の準備を始めます。"
            : "マイページの「所有講座」から、受講を始めます。"}
        </li>
      </ol>
    </TitledPanel>
  );
}
