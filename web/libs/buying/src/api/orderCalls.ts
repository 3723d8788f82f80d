import { call, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { orderKeys } from "./orderKeys";
import type { Confirmation, PaymentMethod } from "./orderTypes";

/** The confirmation that a buyer agrees to. */
export interface AgreedConfirmation extends Pick<Confirmation, "digest" | "method"> {
  /** Whether the buyer accepts its contract document on these pages instead of on paper. */
  acceptsContract: boolean;
}

/** The API calls for orders. Failures are `ApiError`s. */
export const orders = {
  /**
   * Places the order that the confirmation shows. The same idempotency key and confirmation place
   * one order.
   */
  place: (agreed: AgreedConfirmation, idempotencyKey: string) =>
    call("POST", "/api/commerce/order/", {
      body: {
        confirmation: agreed.digest,
        method: agreed.method,
        ...(agreed.acceptsContract && { accepts_contract: true }),
      },
      idempotencyKey,
    }),

  find: (id: string, signal?: AbortSignal) =>
    call("GET", "/api/commerce/order/{id}/", { params: { id }, signal }),

  /** Makes the server ask the payment provider for the state of the order. */
  check: (id: string) => call("POST", "/api/commerce/order/{id}/check/", { params: { id } }),

  /**
   * Returns the order with a payment page: the open one, or a new one if the last attempt failed.
   */
  pay: (id: string) => call("POST", "/api/commerce/order/{id}/pay/", { params: { id }, body: {} }),

  /** Cancels an order. An order that was paid meanwhile stays unchanged. */
  cancel: (id: string) => call("POST", "/api/commerce/order/{id}/cancel/", { params: { id } }),

  /** The first call issues the receipt. Every later call reissues it. */
  issueReceipt: (id: string, addressee: string) =>
    call("POST", "/api/commerce/order/{id}/receipt/", { params: { id }, body: { addressee } }),
};

/**
 * The confirmation of the cart for a payment method. Refetched on every use, because prices and the
 * cart may have changed. While it loads, the confirmation of the previous method stays as
 * placeholder data.
 */
export const confirmationQuery = (method: PaymentMethod | undefined) =>
  queryOptions({
    queryKey: orderKeys.confirmation(method),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/confirmation/", { query: { method }, signal }),
    placeholderData: keepPreviousData,
  });

/**
 * One page of the account's orders, newest first. Refetched on every use, because another device
 * may have paid one.
 */
export const ordersQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: orderKeys.page(pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/commerce/order/", { query: { page }, link, signal }),
    placeholderData: keepPreviousData,
  });

export const orderQuery = (id: string) =>
  queryOptions({
    queryKey: orderKeys.one(id),
    queryFn: ({ signal }) => orders.find(id, signal),
  });

/** The receipt of an order. An unpaid order has none, and the call fails with 404. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: orderKeys.receipt(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/order/{id}/receipt/", { params: { id }, signal }),
  });
