import { idempotencyKey, type StoredKey } from "@konomana/http";
import { createDraft } from "@konomana/session";
import { type Order, orders, type PaymentMethod } from "../api";

/** The key of the order until the server has answered. It survives a reload and a retry. */
const keyStore = createDraft<StoredKey>("order.key", ["key", "content"]);

/**
 * Orders what the confirmation with this digest shows. If the answer is lost, the next try sends the same key: there is
 * never a second order.
 */
export async function placeOrder(digest: string, method: PaymentMethod): Promise<Order> {
  const order = await send(digest, method);
  // The lost answer of an order that has ended meanwhile: this press is for a new one.
  return order.ended_at === null ? order : send(digest, method);
}

async function send(digest: string, method: PaymentMethod): Promise<Order> {
  const key = idempotencyKey(keyStore, { confirmation: digest });
  const order = await orders.place(digest, method, key);
  keyStore.clear();
  return order;
}
