import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  Alert,
  Badge,
  ButtonLink,
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
import type { Order, OrderLine } from "../api";
import { Instructions } from "../instructions/Instructions";
import { isCard, methodNames } from "../method/methods";
import { CancelOrder } from "../order/CancelOrder";
import { ChangeMethod } from "../order/ChangeMethod";
import { Declined } from "../order/Declined";
import { dueBy } from "../order/dueBy";
import { OrderSummary } from "../order/OrderSummary";
import { OutOfReach } from "../order/OutOfReach";
import { PayButton } from "../order/PayButton";
import { phaseNameOf, phaseOf } from "../order/orderPhase";
import { Refunds } from "../order/Refunds";
import { useOrder } from "../order/useOrder";
import { ConfirmedTerms } from "./ConfirmedTerms";
import { OpenLine } from "./OpenLine";
import { OrderContract } from "./OrderContract";
import { OrderTimeline } from "./OrderTimeline";

/** /mypage/history/{order}: one order with its history and the possible actions. */
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
  const { name, color } = phaseNameOf(order);
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
      <Instructions order={order} />
      <OrderTimeline order={order} />
      <OrderSummary order={order} {...(isGranted(order) && { linkOf })} />
      <HowPaid order={order} />
      <OrderContract order={order} />
      <ConfirmedTerms order={order} />
    </Stack>
  );
}

const linkOf = (line: OrderLine) => <OpenLine line={line} />;

/** Whether what was bought and not refunded can be used. */
function isGranted(order: Order): boolean {
  const phase = phaseOf(order);
  return phase === "fulfilled" || phase === "part_refunded";
}

/** The possible actions for an order in its phase. */
function WaysOn({ order }: { order: Order }) {
  switch (phaseOf(order)) {
    case "checking":
      return (
        <Alert color="blue" title="お支払いを確認しています">
          確認中です。決済会社からの返事を待っています。この画面は自動で新しくなります。もう一度支払う必要はありません。
        </Alert>
      );
    case "awaiting":
    case "part_funded":
      return <Awaited order={order} />;
    case "paid":
    case "fulfilled":
    case "part_refunded":
    case "refunded":
      return <Settled order={order} />;
    case "expired":
    case "cancelled":
      return (
        <Group actions>
          <ButtonLink to={paths.cart()}>カートにもどる</ButtonLink>
        </Group>
      );
  }
}

/** The possible actions for a paid order. A subscription is cancelled instead of refunded. */
function Settled({ order }: { order: Order }) {
  const { id, subscription_id, lines } = order;
  const isRefundable =
    phaseOf(order) !== "refunded" && lines.some(({ kind }) => kind !== "subscription");
  return (
    <Group actions>
      <ButtonLink to={paths.receipt(id)}>領収書</ButtonLink>
      {isRefundable && (
        <ButtonLink to={paths.refund(id)} variant="default">
          返金額を確かめる
        </ButtonLink>
      )}
      {subscription_id !== null && (
        <ButtonLink to={paths.subscription(subscription_id)} variant="default">
          月額サービスの契約と解約
        </ButtonLink>
      )}
    </Group>
  );
}

/** What an unpaid order waits for. */
function Awaited({ order }: { order: Order }) {
  const { id, payment, due_at } = order;
  const hasInstructions = payment.konbini !== null || payment.bank_transfer !== null;
  const isPart = phaseOf(order) === "part_funded";
  return (
    <TitledPanel gap="md" title={`${isPart ? "残りの" : ""}お支払いをお待ちしています`}>
      <Text>期限は{dueBy(due_at)}です。過ぎると、ご注文は自動で終了します。</Text>
      <Group actions>
        {!hasInstructions && <PayButton id={id}>支払いを続ける</PayButton>}
        <CancelOrder order={order} />
        {!isPart && <ChangeMethod order={order} />}
      </Group>
    </TitledPanel>
  );
}

const paymentStates: Readonly<Record<Order["payment"]["state"], string>> = {
  unknown: "確認中",
  requires_action: "お手続き待ち",
  part_funded: "一部が届きました",
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
      <Text>
        {methodNames[payment.method]}
        {isCard(payment.method) && "（一括払い）"}・{paymentStates[payment.state]}
      </Text>
      {payment.state !== "succeeded" && <Declined payment={payment} />}
    </TitledPanel>
  );
}
