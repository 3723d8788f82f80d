import { call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { orderKeys } from "./orderKeys";

/** Asks for the money of these lines, as the quote with this digest shows it. The same key and content are one refund. */
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

/** What would come back now. Always asked anew: a lesson that is opened changes it. */
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

/** Asks for another bank account, if a refund to one failed. */
export const retryRefund = (id: string, refund: string) =>
  call("POST", "/api/commerce/order/{id}/refund/{refund}/retry/", { params: { id, refund } });

/** The return invoice as a file. */
export const returnInvoicePdf = (id: string, refund: string) =>
  call("GET", "/api/commerce/order/{id}/refund/{refund}/invoice/pdf/", { params: { id, refund } });

/** The receipt as a file. */
export const receiptPdf = (id: string) =>
  call("GET", "/api/commerce/order/{id}/receipt/pdf/", { params: { id } });
