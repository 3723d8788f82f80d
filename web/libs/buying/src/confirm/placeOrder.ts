import { idempotencyKey, type StoredKey } from "@konomana/http";
import { createDraft } from "@konomana/session";
import { type Confirmation, type Order, orders } from "../api";

/** The key of the order until the server has answered. It survives a reload and a retry. */
const keyStore = createDraft<StoredKey>("order.key", ["key", "content"]);

type Agreed = Pick<Confirmation, "digest" | "method">;

/**
 * Orders what a confirmation shows, with its method of payment. If the answer is lost, the next try sends the same key: there is
 * never a second order.
 */
export async function placeOrder(agreed: Agreed): Promise<Order> {
  const order = await send(agreed);
  // The lost answer of an order that has ended meanwhile: this press is for a new one.
  return order.ended_at === null ? order : send(agreed);
}

async function send({ digest, method }: Agreed): Promise<Order> {
  const agreed = { digest, method };
  const order = await orders.place(agreed, idempotencyKey(keyStore, agreed));
  keyStore.clear();
  return order;
}
