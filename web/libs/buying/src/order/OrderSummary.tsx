import { formatYen, Group, Text, TitledPanel } from "@konomana/ui-base";
import type { ReactNode } from "react";
import type { Order, OrderLine } from "../api";
import { DiscountSums } from "./DiscountSums";
import { OrderLines } from "./OrderLines";

interface OrderSummaryProps {
  order: Order;
  /** The link below a line. */
  linkOf?: (line: OrderLine) => ReactNode;
}

/** The number, the lines and the total of an order. */
export function OrderSummary({ order, linkOf }: OrderSummaryProps) {
  return (
    <TitledPanel
      gap="sm"
      title="ご注文の内容"
      aside={
        <Text size="sm" dimmed>
          注文番号 {order.number}
        </Text>
      }
    >
      <OrderLines lines={order.lines} linkOf={linkOf} />
      <DiscountSums subtotal={order.total + order.discount} coupons={order.coupons} />
      <OrderTotal order={order} />
    </TitledPanel>
  );
}

/** The total of an order and the tax in it. */
export function OrderTotal({ order: { total, tax } }: { order: Pick<Order, "total" | "tax"> }) {
  return (
    <Group justify="space-between" align="baseline" gap="0rem 1rem">
      <Text bold>合計（税込）</Text>
      <div className="kn-push kn-end">
        <Text bold>{formatYen(total)}</Text>
        <Text size="sm" dimmed>
          うち消費税（10%） {formatYen(tax)}
        </Text>
      </div>
    </Group>
  );
}
