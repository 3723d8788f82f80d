import { ConfirmButton } from "@konomana/query";
import { showBlue } from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Order, orderQuery, orders } from "../api";
import { invalidateBeside } from "./invalidateBeside";

/** Cancels an order that awaits its payment, after one more question. */
export function CancelOrder({ order }: { order: Order }) {
  const queries = useQueryClient();
  const cancelling = useMutation({
    mutationFn: () => orders.cancel(order.id),
    onSuccess: (now) => {
      queries.setQueryData(orderQuery(order.id).queryKey, now);
      invalidateBeside(queries, now);
      if (now.state === "cancelled") showBlue("ご注文を取り消しました。");
    },
  });
  return (
    <ConfirmButton
      label="注文を取り消す"
      title="このご注文を取り消しますか？"
      yes="取り消す"
      doing={cancelling}
    >
      お支払いは行われません。カートの中身は、そのまま残ります。
    </ConfirmButton>
  );
}
