import { paths } from "@konomana/paths";
import { ConfirmButton } from "@konomana/query";
import { useNavigate } from "react-router";
import type { Order } from "../api";
import { useCancelOrder } from "./useCancelOrder";

/** Changes the payment method: cancels the order and opens the confirmation of the same cart. */
export function ChangeMethod({ order }: { order: Order }) {
  const navigate = useNavigate();
  const cancelling = useCancelOrder(order, () => void navigate(paths.cartConfirm()));
  return (
    <ConfirmButton
      label="別の方法で支払う"
      title="別の方法で支払いますか？"
      yes="方法を選びなおす"
      doing={cancelling}
    >
      このご注文を取り消して、お支払い方法を選ぶ画面にもどります。
      {warnings[order.payment.method]}
      カートの中身は、そのまま残ります。
    </ConfirmButton>
  );
}

const warnings: Partial<Record<Order["payment"]["method"], string>> = {
  konbini: "コンビニの支払いコードは、使えなくなります。",
  bank_transfer: "もう振り込んだときは、取り消さずにお待ちください。",
};
