import { call, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { orderKeys } from "./orderKeys";
import type { Confirmation, PaymentMethod } from "./orderTypes";

/** What is done with orders, call by call. Failures are `ApiError`s. */
export const orders = {
  /** Orders what the confirmation shows. The same key and confirmation place one order. */
  place: ({ digest, method }: Pick<Confirmation, "digest" | "method">, idempotencyKey: string) =>
    call("POST", "/api/commerce/order/", {
      body: { confirmation: digest, method },
      idempotencyKey,
    }),

  find: (id: string, signal?: AbortSignal) =>
    call("GET", "/api/commerce/order/{id}/", { params: { id }, signal }),

  /** Asks the payment provider about the order now. */
  check: (id: string) => call("POST", "/api/commerce/order/{id}/check/", { params: { id } }),

  /** Gives the order with a page to pay on: the open one, or a new one if the last attempt failed. */
  pay: (id: string) => call("POST", "/api/commerce/order/{id}/pay/", { params: { id }, body: {} }),

  /** An order that was paid meanwhile stays as it is. */
  cancel: (id: string) => call("POST", "/api/commerce/order/{id}/cancel/", { params: { id } }),

  /** The first time issues the receipt; every later time is a reissue. */
  issueReceipt: (id: string, addressee: string) =>
    call("POST", "/api/commerce/order/{id}/receipt/", { params: { id }, body: { addressee } }),
};

/**
 * What the cart would be ordered as, paid by a method. Always asked anew: prices and the cart may have changed. Until it
 * is there, the one for the method before stays in its place.
 */
export const confirmationQuery = (method: PaymentMethod | undefined) =>
  queryOptions({
    queryKey: orderKeys.confirmation(method),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/confirmation/", { query: { method }, signal }),
    placeholderData: keepPreviousData,
  });

/** One page of the account's orders, newest first. Another device may have paid one: always asked anew. */
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

/** An order that was not paid has none: it is not found. */
export const receiptQuery = (id: string) =>
  queryOptions({
    queryKey: orderKeys.receipt(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/commerce/order/{id}/receipt/", { params: { id }, signal }),
  });
