import { paths } from "@konomana/paths";
import type { Order } from "../api";
import { isPaid, phaseOf } from "../order/phase";

/** The page that a placed order leads to, where the provider has no page for it. */
export function pageAfter(order: Order): string {
  const { id, payment, subscription_id } = order;
  if (payment.state === "failed") return paths.paymentError(id);
  if (!isPaid(phaseOf(order))) return paths.payment(id);
  return subscription_id === null ? paths.paymentComplete(id) : paths.paymentSubscribe(id);
}
