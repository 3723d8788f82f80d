import { paths } from "@konomana/paths";
import { Alert, ButtonLink, formatDateTime, formatPrice, Group, Stack } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { Order } from "../api";
import { CancelOrder } from "../order/CancelOrder";
import { declineSentence } from "../order/declineSentence";
import { OrderSummary } from "../order/OrderSummary";
import { PayButton } from "../order/PayButton";
import { phaseOf } from "../order/phase";
import { Refunds } from "../order/Refunds";
import { BoughtCourses } from "./BoughtCourses";

/** What a payment screen says of an order. */
export interface Face {
  title: string;
  lead: ReactNode;
  content: ReactNode;
}

/** The face of an order on every payment screen, but for one that awaits its payment. */
export function faceOf(order: Order, awaiting: (order: Order) => Face): Face {
  switch (phaseOf(order)) {
    case "checking":
      return checkingFace(order);
    case "awaiting":
      return awaiting(order);
    case "paid":
      return {
        title: paidTitleOf(order),
        lead: "ありがとうございます。受講の準備をしています。ふつうは5秒ほどで終わり、この画面は自動で新しくなります。",
        content: <Paid order={order} />,
      };
    case "fulfilled":
    case "part_refunded":
      return {
        title: paidTitleOf(order),
        lead: "ありがとうございます。お求めの講座は、もうご利用いただけます。",
        content: (
          <>
            <BoughtCourses lines={order.lines} />
            <Paid order={order} />
          </>
        ),
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
        lead: "このご注文は、お申し込みにより返金の手続きをしました。",
        content: <Paid order={order} />,
      };
  }
}

/** An order that coupons cover has nothing to pay. */
function paidTitleOf({ payment }: Order): string {
  return payment.method === "coupon" ? "ご注文が完了しました" : "お支払いが完了しました";
}

/** What became of the money and of the cart of an order that has ended. */
function outcomeOf({ refunds }: Order): string {
  const money =
    refunds.length === 0
      ? "お支払いは行われていません。"
      : "そのあとに届いたお支払いは、全額お返しします。";
  return `${money}カートの中身は、そのまま残っています。`;
}

/** The order awaits its buyer, who has opened it to pay. */
export function payableFace(order: Order): Face {
  const { total, due_at } = order;
  return {
    title: "お支払い",
    lead: `${formatPrice(total)}のお支払いをお待ちしています。期限は${formatDateTime(due_at)}です。過ぎると、ご注文は自動で終了します。`,
    content: (
      <Stack gap="lg">
        <Declined order={order} />
        <OrderSummary order={order} />
        <PayButton id={order.id}>支払いを続ける</PayButton>
        <p>
          カード番号は、決済会社のページで入力します。コノマナには保存されません。続きから支払っても、二重に請求されることはありません。
        </p>
        <Group actions>
          <CancelOrder order={order} />
          <ButtonLink to={paths.order(order.id)} variant="quiet">
            ご注文の詳細
          </ButtonLink>
        </Group>
      </Stack>
    ),
  };
}

/** The buyer comes from the provider's page, and the payment has not come about. */
export function unpaidFace(order: Order): Face {
  return {
    title: "お支払いが完了していません",
    lead: "お支払いは行われていません。もう一度お試しいただいても、二重に請求されることはありません。カートの中身は、そのまま残っています。",
    content: (
      <Stack gap="lg">
        <Declined order={order} />
        <OrderSummary order={order} />
        <p>お支払いの期限は{formatDateTime(order.due_at)}です。</p>
        <PayButton id={order.id}>もう一度支払う</PayButton>
        <Group actions>
          <ButtonLink to={paths.cart()} variant="default">
            カートにもどる
          </ButtonLink>
          <CancelOrder order={order} />
        </Group>
      </Stack>
    ),
  };
}

/** The buyer comes from the provider's page, and the provider has not said yet that the payment came about. */
export function returnedFace(order: Order): Face {
  const { payment } = order;
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
    lead: "確認中です。カード会社からの返事を待っています。ふつうは数秒で終わり、この画面は自動で新しくなります。もう一度支払う必要はありません。画面を閉じても、お支払いの結果は変わりません。",
    content: (
      <Stack gap="lg">
        <OrderSummary order={order} />
        {more}
        <Ways order={order} />
      </Stack>
    ),
  };
}

/** Why the last card was refused, where one was. */
function Declined({ order: { payment } }: { order: Order }) {
  if (payment.decline_code === null) return null;
  return (
    <Alert color="red" title="カードが使えませんでした">
      {declineSentence(payment.decline_code)}
    </Alert>
  );
}

function Paid({ order }: { order: Order }) {
  return (
    <Stack gap="lg">
      <Refunds order={order} />
      <OrderSummary order={order} />
      <Group actions>
        <ButtonLink to={paths.receipt(order.id)} variant="default">
          領収書
        </ButtonLink>
        <Ways order={order} />
      </Group>
    </Stack>
  );
}

function Ended({ order }: { order: Order }) {
  return (
    <Stack gap="lg">
      <Refunds order={order} />
      <Group actions>
        <ButtonLink to={paths.cart()} size="lg">
          カートにもどる
        </ButtonLink>
        <Ways order={order} />
      </Group>
    </Stack>
  );
}

function Ways({ order }: { order: Order }) {
  return (
    <ButtonLink to={paths.order(order.id)} variant="default">
      ご注文の詳細
    </ButtonLink>
  );
}
