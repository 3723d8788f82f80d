import { ConfirmButton } from "@konomana/query";
import { formatYen, showBlue } from "@konomana/ui-base";
import type { Order } from "../api";
import { useCancelOrder } from "./useCancelOrder";

/** Cancels an unpaid order, after a confirmation. */
export function CancelOrder({ order }: { order: Order }) {
  const cancelling = useCancelOrder(order, () => showBlue("ご注文を取り消しました。"));
  const received = order.payment.bank_transfer?.amount_received ?? 0;
  return (
    <ConfirmButton
      label="注文を取り消す"
      title="このご注文を取り消しますか？"
      yes="取り消す"
      doing={cancelling}
    >
      {received > 0
        ? `受け取った${formatYen(received)}は、全額お返しします。`
        : "お支払いは行われません。"}
      カートの中身は、そのまま残ります。
    </ConfirmButton>
  );
}
