import { PERSONAL } from "@konomana/http";
import type { PaymentMethod } from "./orderTypes";

const order = [...PERSONAL, "order"] as const;

/** The query keys of orders. `all` is their common prefix. */
export const orderKeys = {
  all: order,
  page: (page: string) => [...order, { page }] as const,
  one: (id: string) => [...order, id] as const,
  receipt: (id: string) => [...order, id, "receipt"] as const,
  refundQuote: (id: string) => [...order, id, "refund"] as const,
  returnInvoice: (id: string, refund: string) => [...order, id, "refund", refund] as const,
  /** The confirmation for a payment method. Without one the server chooses. */
  confirmation: (method: PaymentMethod | undefined) =>
    [...PERSONAL, "confirmation", { method }] as const,
};
