import { paths } from "@konomana/paths";
import type { Order } from "../api";
import { isPaid, phaseOf } from "../order/orderPhase";

/** The page to open after placing an order that needs no page of the provider. */
export function pageAfter(order: Order): string {
  const { id, payment, subscription_id } = order;
  if (payment.state === "failed") return paths.paymentError(id);
  if (!isPaid(phaseOf(order))) return paths.payment(id);
  return subscription_id === null ? paths.paymentComplete(id) : paths.paymentSubscribe(id);
}
