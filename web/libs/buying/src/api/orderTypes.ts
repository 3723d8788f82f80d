/** Types of orders, from the API document. */
import type { Answer, Item } from "@konomana/http";

/** The terms that the buyer agrees to, with their digest. */
export type Confirmation = Answer<"GET", "/api/commerce/confirmation/">;

export type Order = Answer<"GET", "/api/commerce/order/{id}/">;
/** The state of an order. It never changes to an earlier one. */
export type OrderState = Order["state"];
/** A product for a learner. `price` is whole yen, tax included. */
export type OrderLine = Order["lines"][number];
/** The last payment attempt. */
export type Payment = Order["payment"];
/** The payment method of an order. */
export type PaymentMethod = Payment["method"];
/** The payment codes for convenience stores, and their expiry. */
export type Konbini = NonNullable<Payment["konbini"]>;
/** The buyer's virtual bank account, and the transfers to it. */
export type BankTransfer = NonNullable<Payment["bank_transfer"]>;
/** A refund, completed or not. */
export type Refund = Order["refunds"][number];

/**
 * The refund that an order would give now, with the calculation of each line. Amounts are whole
 * yen.
 */
export type RefundQuote = Answer<"GET", "/api/commerce/order/{id}/refund/">;
export type RefundQuoteLine = RefundQuote["lines"][number];

/** 返還インボイス: the invoice for a refund of a qualified invoice. */
export type ReturnInvoice = Answer<"GET", "/api/commerce/order/{id}/refund/{refund}/invoice/">;

export type OrderPage = Answer<"GET", "/api/commerce/order/">;
/** An order in the list, without its confirmation. */
export type ListedOrder = Item<"/api/commerce/order/">;

/** 領収書 and qualified invoice. `addressee` is `null` until it is issued. */
export type Receipt = Answer<"GET", "/api/commerce/order/{id}/receipt/">;
