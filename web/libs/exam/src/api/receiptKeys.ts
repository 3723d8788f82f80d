import { type Answer, callPublic } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** A public key that verifies receipts. */
export type ReceiptKey = Answer<"GET", "/api/exam/receipt-keys/">["keys"][number];

/** The published keys. They stay in the cache once loaded, so receipts can be checked offline. */
export const receiptKeysQuery = queryOptions({
  queryKey: ["exam", "receipt-keys"],
  queryFn: async ({ signal }) =>
    (await callPublic("GET", "/api/exam/receipt-keys/", { signal })).keys,
  staleTime: Number.POSITIVE_INFINITY,
});
