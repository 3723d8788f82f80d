import { idempotencyKey, type StoredKey } from "@konomana/http";
import { createDraft } from "@konomana/session";
import { type AgreedConfirmation, type Order, orders } from "../api";

/**
 * The idempotency key of the order until the server has answered. It survives a reload and a retry.
 */
const keyStore = createDraft<StoredKey>("order.key", ["key", "content"]);

/**
 * Places the order of a confirmation with its payment method. If the response is lost, the next
 * attempt sends the same idempotency key, so there is never a second order.
 */
export async function placeOrder(agreed: AgreedConfirmation): Promise<Order> {
  const order = await send(agreed);
  // The stored key belongs to an order that has ended meanwhile, so this places a new one.
  return order.ended_at === null ? order : send(agreed);
}

async function send(agreed: AgreedConfirmation): Promise<Order> {
  const { digest, method } = agreed;
  const order = await orders.place(agreed, idempotencyKey(keyStore, { digest, method }));
  keyStore.clear();
  return order;
}
