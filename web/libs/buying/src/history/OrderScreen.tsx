import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  Alert,
  Badge,
  ButtonLink,
  formatDateTime,
  Group,
  Head,
  LoadingState,
  Stack,
  Text,
  TextLink,
  Title,
  TitledPanel,
} from "@konomana/ui-base";
import { useParams } from "react-router";
import type { Order } from "../api";
import { CancelOrder } from "../order/CancelOrder";
import { declineSentence } from "../order/declineSentence";
import { OrderSummary } from "../order/OrderSummary";
import { OutOfReach } from "../order/OutOfReach";
import { PayButton } from "../order/PayButton";
import { phaseNames, phaseOf } from "../order/phase";
import { Refunds } from "../order/Refunds";
import { useOrder } from "../order/useOrder";
import { ConfirmedTerms } from "./ConfirmedTerms";
import { Timeline } from "./Timeline";

/** /mypage/history/{order}: one order, what became of it, and what can be done. */
export function OrderScreen() {
  const { order: id = "" } = useParams();
  const query = useOrder(id);
  return (
    <>
      <TextLink to={paths.orders()}>← ご注文履歴にもどる</TextLink>
      <OutOfReach error={query.error} />
      <QueryBoundary query={query} loading={<OrderLoading />}>
        {(order) => <OrderDetail order={order} />}
      </QueryBoundary>
    </>
  );
}

function OrderLoading() {
  return (
    <>
      <Head title="ご注文の詳細" />
      <LoadingState rows={3} height="9rem" />
    </>
  );
}

function OrderDetail({ order }: { order: Order }) {
  const { name, color } = phaseNames[phaseOf(order)];
  return (
    <Stack gap="lg">
      <Head title={`ご注文 ${order.number}`} />
      <div>
        <Title order={1} size="h2">
          ご注文の詳細
        </Title>
        <Group gap="0.25rem 0.75rem" mt="xxs">
          <Text dimmed>注文番号 {order.number}</Text>
          <span role="status">
            <Badge color={color} variant={color === "gray" ? "outline" : "filled"} size="lg">
              {name}
            </Badge>
          </span>
        </Group>
      </div>
      <WaysOn order={order} />
      <Refunds order={order} />
      <Timeline order={order} />
      <OrderSummary order={order} />
      <HowPaid order={order} />
      <ConfirmedTerms order={order} />
    </Stack>
  );
}

/** What can be done with an order where it is now. */
function WaysOn({ order }: { order: Order }) {
  switch (phaseOf(order)) {
    case "checking":
      return (
        <Alert color="blue" title="お支払いを確認しています">
          確認中です。カード会社からの返事を待っています。この画面は自動で新しくなります。もう一度支払う必要はありません。
        </Alert>
      );
    case "awaiting":
      return (
        <TitledPanel gap="md" title="お支払いをお待ちしています">
          <Text>
            期限は{formatDateTime(order.due_at)}です。過ぎると、ご注文は自動で終了します。
          </Text>
          <Group actions>
            <PayButton id={order.id}>支払いを続ける</PayButton>
            <CancelOrder order={order} />
          </Group>
        </TitledPanel>
      );
    case "paid":
    case "fulfilled":
    case "part_refunded":
      return (
        <Group actions>
          <ButtonLink to={paths.receipt(order.id)}>領収書</ButtonLink>
          <ButtonLink to={paths.refund(order.id)} variant="default">
            返金額を確かめる
          </ButtonLink>
        </Group>
      );
    case "refunded":
      return (
        <Group actions>
          <ButtonLink to={paths.receipt(order.id)}>領収書</ButtonLink>
        </Group>
      );
    case "expired":
    case "cancelled":
      return (
        <Group actions>
          <ButtonLink to={paths.cart()}>カートにもどる</ButtonLink>
        </Group>
      );
  }
}

const paymentStates: Readonly<Record<Order["payment"]["state"], string>> = {
  unknown: "確認中",
  requires_action: "お手続き待ち",
  succeeded: "お支払い済み",
  failed: "お支払いできませんでした",
  cancelled: "取り消し",
  expired: "期限切れ",
};

function HowPaid({ order: { payment } }: { order: Order }) {
  if (payment.method === "coupon")
    return (
      <TitledPanel gap="xs" title="お支払い">
        <Text>クーポンのご利用により、お支払いはありません。</Text>
      </TitledPanel>
    );
  return (
    <TitledPanel gap="xs" title="お支払い">
      <Text>クレジットカード（一括払い）・{paymentStates[payment.state]}</Text>
      {payment.state !== "succeeded" && payment.decline_code !== null && (
        <Text size="sm" dimmed>
          {declineSentence(payment.decline_code)}
        </Text>
      )}
    </TitledPanel>
  );
}
