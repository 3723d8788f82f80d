/** Orders, as the API's document describes them. */
import type { Answer, Item } from "@konomana/http";

/** What the buyer agrees to, and the digest that names it. */
export type Confirmation = Answer<"GET", "/api/commerce/confirmation/">;

export type Order = Answer<"GET", "/api/commerce/order/{id}/">;
/** It never goes back. */
export type OrderState = Order["state"];
/** A course for a learner; `price` is whole yen, tax included. */
export type OrderLine = Order["lines"][number];
/** The last attempt to pay. */
export type Payment = Order["payment"];
/** How an order is paid. */
export type PaymentMethod = Payment["method"];
/** The codes for the stores, and until when they can be used. */
export type Konbini = NonNullable<Payment["konbini"]>;
/** The account of this buyer, and what arrived there. */
export type BankTransfer = NonNullable<Payment["bank_transfer"]>;
/** Money on its way back. */
export type Refund = Order["refunds"][number];

/** What would come back for an order now, line by line, and how that was worked out. Yen are whole. */
export type RefundQuote = Answer<"GET", "/api/commerce/order/{id}/refund/">;
export type RefundQuoteLine = RefundQuote["lines"][number];

/** 返還インボイス: what a qualified invoice becomes when money went back. */
export type ReturnInvoice = Answer<"GET", "/api/commerce/order/{id}/refund/{refund}/invoice/">;

export type OrderPage = Answer<"GET", "/api/commerce/order/">;
/** An order as it is listed, without its confirmation. */
export type ListedOrder = Item<"/api/commerce/order/">;

/** 領収書 and qualified invoice; `addressee` is null until it is issued. */
export type Receipt = Answer<"GET", "/api/commerce/order/{id}/receipt/">;
