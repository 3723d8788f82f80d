import { type Answer, callPublic } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** A public key that receipts are checked with. */
export type ReceiptKey = Answer<"GET", "/api/exam/receipt-keys/">["keys"][number];

/** The published keys. Once loaded they stay, so that receipts are checked without a network. */
export const receiptKeysQuery = queryOptions({
  queryKey: ["exam", "receipt-keys"],
  queryFn: async ({ signal }) =>
    (await callPublic("GET", "/api/exam/receipt-keys/", { signal })).keys,
  staleTime: Number.POSITIVE_INFINITY,
});
