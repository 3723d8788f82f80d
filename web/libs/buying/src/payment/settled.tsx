import { paths } from "@konomana/paths";
import { ButtonLink, Group, Stack } from "@konomana/ui-base";
import type { Order } from "../api";
import { Instructions } from "../instructions/Instructions";
import { OrderSummary } from "../order/OrderSummary";
import { phaseOf } from "../order/orderPhase";
import { Refunds } from "../order/Refunds";
import { StartedSubscription } from "../subscription/StartedSubscription";
import { BoughtCourses } from "./BoughtCourses";
import { BoughtSeats } from "./BoughtSeats";

interface SettledProps {
  order: Order;
}

/** The content of a payment screen for a paid order. */
export function Paid({ order }: SettledProps) {
  const { id, subscription_id, lines } = order;
  const isUsable = phaseOf(order) === "fulfilled";
  return (
    <Stack gap="lg">
      {isUsable && <BoughtCourses lines={lines} />}
      {isUsable && <BoughtSeats lines={lines} />}
      {isUsable && subscription_id !== null && <StartedSubscription id={subscription_id} />}
      <Refunds order={order} />
      <Instructions order={order} />
      <OrderSummary order={order} />
      <Group actions>
        <ButtonLink to={paths.receipt(id)} variant="default">
          領収書
        </ButtonLink>
        <Ways order={order} />
      </Group>
    </Stack>
  );
}

/** The content of a payment screen for an order that ended unpaid. */
export function Ended({ order }: SettledProps) {
  return (
    <Stack gap="lg">
      <Refunds order={order} />
      <Instructions order={order} />
      <Group actions>
        <ButtonLink to={paths.cart()} size="lg">
          カートにもどる
        </ButtonLink>
        <Ways order={order} />
      </Group>
    </Stack>
  );
}

export function Ways({ order }: SettledProps) {
  return (
    <ButtonLink to={paths.order(order.id)} variant="default">
      ご注文の詳細
    </ButtonLink>
  );
}
