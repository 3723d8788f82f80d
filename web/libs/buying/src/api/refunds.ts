import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { orderKeys } from "./orderKeys";

/**
 * Requests the refund of these lines, as in the quote with this digest. The same idempotency key
 * and content give one refund.
 */
export function requestRefund(
  id: string,
  { quote, lines }: { quote: string; lines: number[] },
  idempotencyKey: string,
) {
  return call("POST", "/api/commerce/order/{id}/refund/", {
    params: { id },
    body: { quote, lines },
    idempotencyKey,
  });
}

/**
 * The refund that an order would give now. Refetched on every use, because opening a lesson changes
 * it.
 */
export const refundQuoteQuery = (id: string) =>
  queryOptions({
    queryKey: orderKeys.refundQuote(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/order/{id}/refund/", { params: { id }, signal }),
  });

export const returnInvoiceQuery = (id: string, refund: string) =>
  queryOptions({
    queryKey: orderKeys.returnInvoice(id, refund),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/order/{id}/refund/{refund}/invoice/", {
        params: { id, refund },
        signal,
      }),
  });

/** Retries a failed refund to a bank account: the buyer gives another account. */
export const retryRefund = (id: string, refund: string) =>
  call("POST", "/api/commerce/order/{id}/refund/{refund}/retry/", { params: { id, refund } });

/** The return invoice as a PDF. */
export const returnInvoicePdf = (id: string, refund: string) =>
  call("GET", "/api/commerce/order/{id}/refund/{refund}/invoice/pdf/", { params: { id, refund } });

/** The receipt as a PDF. */
export const receiptPdf = (id: string) =>
  call("GET", "/api/commerce/order/{id}/receipt/pdf/", { params: { id } });
