import { paths } from "@konomana/paths";
import { ButtonLink, formatPrice, formatYen, Group, Stack } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { Order } from "../api";
import { Instructions } from "../instructions/Instructions";
import { isPaidLater } from "../method/methods";
import { CancelOrder } from "../order/CancelOrder";
import { ChangeMethod } from "../order/ChangeMethod";
import { Declined } from "../order/Declined";
import { dueBy } from "../order/dueBy";
import { OrderSummary } from "../order/OrderSummary";
import { PayButton } from "../order/PayButton";
import { isExamsOnly, phaseOf, wordsOf } from "../order/orderPhase";
import { NextSteps } from "./NextSteps";
import { Ended, Paid, Ways } from "./settled";

/** The content of a payment screen for an order. */
export interface Face {
  title: string;
  lead: ReactNode;
  content: ReactNode;
}

/** The face of an order. Only that of an unpaid order depends on the screen. */
export function faceOf(order: Order, awaiting: (order: Order) => Face): Face {
  const phase = phaseOf(order);
  switch (phase) {
    case "checking":
      return checkingFace(order);
    case "awaiting":
    case "part_funded":
      return awaiting(order);
    case "paid":
      return {
        title: paidTitleOf(order),
        lead: `ありがとうございます。${wordsOf(order).preparation}の準備をしています。ふつうは5秒ほどで終わり、この画面は自動で新しくなります。`,
        content: <Paid order={order} />,
      };
    case "fulfilled":
    case "part_refunded":
      return {
        title: paidTitleOf(order),
        lead:
          phase === "part_refunded"
            ? "お支払いのあと、一部をお返ししました。"
            : fulfilledLead(order),
        content: <Paid order={order} />,
      };
    case "expired":
      return {
        title: "お支払いの期限が過ぎました",
        lead: `期限までにお支払いを確認できなかったため、このご注文は終了しました。${outcomeOf(order)}`,
        content: <Ended order={order} />,
      };
    case "cancelled":
      return {
        title: "ご注文は取り消されています",
        lead: `このご注文は、お支払いの前に取り消されました。${outcomeOf(order)}`,
        content: <Ended order={order} />,
      };
    case "refunded":
      return {
        title: "返金の手続きをしたご注文です",
        lead: "このご注文は、全額の返金の手続きをしました。",
        content: <Paid order={order} />,
      };
  }
}

/** The title of a paid order. If coupons cover the order, nothing was paid. */
function paidTitleOf({ payment, subscription_id }: Order): string {
  if (payment.method === "coupon") return "ご注文が完了しました";
  return subscription_id === null ? "お支払いが完了しました" : "お申し込みが完了しました";
}

/** What happens to the money and the cart of an order that has ended. */
function outcomeOf({ refunds, payment }: Order): string {
  const arrived = refunds.length > 0 || (payment.bank_transfer?.transfers.length ?? 0) > 0;
  const money = arrived ? "届いたお支払いは、全額お返しします。" : "お支払いは行われていません。";
  return `${money}カートの中身は、そのまま残っています。`;
}

/** The face of an unpaid order that the buyer opened to pay. */
export function payableFace(order: Order): Face {
  if (isPaidLater(order.payment.method))
    return instructedFace(
      order,
      "お支払い",
      <div data-screen-only>
        <ButtonLink to={paths.paymentBank(order.id)} size="lg">
          お支払い方法を確かめました
        </ButtonLink>
      </div>,
    );
  const { total, payment } = order;
  return {
    title: "お支払い",
    lead: `${formatPrice(total)}のお支払いをお待ちしています。${untilWhen(order)}`,
    content: (
      <Stack gap="lg">
        <Declined payment={payment} />
        <OrderSummary order={order} />
        <PayButton id={order.id}>支払いを続ける</PayButton>
        <p>
          {payment.method === "saved_card"
            ? "登録済みのカードで支払います。カード会社の本人認証のページへ移ることがあります。"
            : "カード番号は、決済会社のページで入力します。コノマナには保存されません。"}
          続きから支払っても、二重に請求されることはありません。
        </p>
        <Group actions>
          <CancelOrder order={order} />
          <ChangeMethod order={order} />
          <ButtonLink to={paths.order(order.id)} variant="quiet">
            ご注文の詳細
          </ButtonLink>
        </Group>
      </Stack>
    ),
  };
}

/** The face of a new order that is paid at a store or a bank. */
export function acceptedFace(order: Order): Face {
  return instructedFace(order, "ご注文を受け付けました", <NextSteps order={order} />);
}

/** Instructions to pay at a store or a bank, with the remaining amount after a partial payment. */
function instructedFace(order: Order, title: string, next: ReactNode): Face {
  const { payment, total } = order;
  const { konbini, bank_transfer: transfer } = payment;
  if (konbini === null && transfer === null) return unpaidFace(order);
  const isPart = transfer !== null && transfer.amount_received > 0;
  return {
    title: isPart ? "残りのお支払いをお待ちしています" : title,
    lead: isPart
      ? `${formatYen(transfer.amount_received)}を受け取りました。残りは${formatYen(transfer.amount_remaining)}です。${untilWhen(order)}`
      : `${formatPrice(total)}のお支払いをお待ちしています。${untilWhen(order)}`,
    content: (
      <Stack gap="lg">
        <Instructions order={order} />
        {next}
        <p>
          お支払いを確認できると、この画面は自動で新しくなります。このご案内は、「ご注文の詳細」でいつでも見られます。
        </p>
        <OrderSummary order={order} />
        <Group actions data-screen-only>
          <Ways order={order} />
          <CancelOrder order={order} />
          {!isPart && <ChangeMethod order={order} />}
        </Group>
      </Stack>
    ),
  };
}

function untilWhen({ due_at }: Order): string {
  return `期限は${dueBy(due_at)}です。過ぎると、ご注文は自動で終了します。`;
}

/** The face after returning from the provider's page without a payment. */
export function unpaidFace(order: Order): Face {
  const { payment, due_at, id } = order;
  const hasInstructions = payment.konbini !== null || payment.bank_transfer !== null;
  const isPart = phaseOf(order) === "part_funded";
  return {
    title: "お支払いが完了していません",
    lead: `${isPart ? "受け取ったお支払いは、一部だけです。" : "お支払いは行われていません。"}もう一度お試しいただいても、二重に請求されることはありません。カートの中身は、そのまま残っています。`,
    content: (
      <Stack gap="lg">
        <Declined payment={payment} />
        <OrderSummary order={order} />
        <p>お支払いの期限は{dueBy(due_at)}です。</p>
        {hasInstructions ? (
          <ButtonLink to={paths.payment(id)} size="lg">
            お支払い方法を見る
          </ButtonLink>
        ) : (
          <PayButton id={id}>もう一度支払う</PayButton>
        )}
        <Group actions>
          <ButtonLink to={paths.cart()} variant="default">
            カートにもどる
          </ButtonLink>
          {!isPart && <ChangeMethod order={order} />}
          <CancelOrder order={order} />
        </Group>
      </Stack>
    ),
  };
}

/** The face while the provider has not confirmed the payment yet. */
export function returnedFace(order: Order): Face {
  const { payment } = order;
  if (isPaidLater(payment.method)) return acceptedFace(order);
  if (payment.decline_code !== null || payment.state !== "requires_action")
    return unpaidFace(order);
  return checkingFace(
    order,
    <>
      <p>
        カードの入力や本人認証が途中だったときは、続きから支払えます。二重に請求されることはありません。
      </p>
      <ButtonLink to={paths.payment(order.id)} variant="default">
        お支払いの続きへ
      </ButtonLink>
    </>,
  );
}

function checkingFace(order: Order, more?: ReactNode): Face {
  return {
    title: "お支払いを確認しています",
    lead: "確認中です。決済会社からの返事を待っています。ふつうは数秒で終わり、この画面は自動で新しくなります。もう一度支払う必要はありません。画面を閉じても、お支払いの結果は変わりません。",
    content: (
      <Stack gap="lg">
        <OrderSummary order={order} />
        {more}
        <Ways order={order} />
      </Stack>
    ),
  };
}

function fulfilledLead(order: Order): string {
  if (isExamsOnly(order))
    return "ありがとうございます。お申し込みの模試は、もう受験の準備を始められます。";
  const what = order.subscription_id === null ? "お求めの講座は" : "お申し込みのサービスは";
  return `ありがとうございます。${what}、もうご利用いただけます。`;
}
