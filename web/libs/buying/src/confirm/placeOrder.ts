import { idempotencyKey, type StoredKey } from "@konomana/http";
import { createDraft } from "@konomana/session";
import { type Confirmation, type Order, orders } from "../api";

/**
 * The idempotency key of the order until the server has answered. It survives a reload and a retry.
 */
const keyStore = createDraft<StoredKey>("order.key", ["key", "content"]);

type Agreed = Pick<Confirmation, "digest" | "method">;

/**
 * Places the order of a confirmation with its payment method. If the response is lost, the next
 * attempt sends the same idempotency key, so there is never a second order.
 */
export async function placeOrder(agreed: Agreed): Promise<Order> {
  const order = await send(agreed);
  // The stored key belongs to an order that has ended meanwhile, so this places a new one.
  return order.ended_at === null ? order : send(agreed);
}

async function send({ digest, method }: Agreed): Promise<Order> {
  const agreed = { digest, method };
  const order = await orders.place(agreed, idempotencyKey(keyStore, agreed));
  keyStore.clear();
  return order;
}
