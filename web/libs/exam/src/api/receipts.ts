import { type Answer, call, PERSONAL } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";

/** The signed receipt of a handed-in paper, with its transcript. */
export type SignedReceipt = Answer<"GET", "/api/exam/sitting/{id}/receipt/">;

export const receipts = {
  find: (sitting: string) =>
    call("GET", "/api/exam/sitting/{id}/receipt/", { params: { id: sitting } }),
};

/** The receipt of a sitting. It never changes. */
export const receiptQuery = (sitting: string) =>
  queryOptions({
    queryKey: [...PERSONAL, "receipt", sitting],
    queryFn: () => receipts.find(sitting),
    staleTime: Number.POSITIVE_INFINITY,
  });
