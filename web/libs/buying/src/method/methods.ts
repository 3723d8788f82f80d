import type { PaymentMethod } from "../api";

/** The names of the payment methods, also used on receipts. */
export const methodNames: Readonly<Record<PaymentMethod, string>> = {
  card: "クレジットカード",
  saved_card: "登録済みのクレジットカード",
  konbini: "コンビニ払い",
  bank_transfer: "銀行振込",
  coupon: "クーポン",
};

/** The explanation of each method beside the choice. */
export const methodNotes: Readonly<Record<PaymentMethod, string>> = {
  card: "次のページで、カードの番号を入力します。すぐに受講できます。",
  saved_card: "カードの番号を入力せずに支払えます。すぐに受講できます。",
  konbini:
    "ファミリーマート、ローソン、ミニストップ、セイコーマートで、現金で支払います。お支払いのあと、受講できます。",
  bank_transfer:
    "お客さま専用の口座に振り込みます。振込手数料は、お客さまのご負担です。入金を確認できると、受講できます。",
  coupon: "お支払いはありません。",
};

/** The step that follows after the order is placed. */
export const methodSteps: Readonly<Record<PaymentMethod, string>> = {
  card: "注文を確定すると、カードの情報を入力する決済代行会社のページへ移ります。",
  saved_card:
    "注文を確定すると、登録済みのカードに請求します。カード会社の本人認証のページへ移ることがあります。",
  konbini: "注文を確定すると、コンビニで使う支払いコードを表示します。",
  bank_transfer: "注文を確定すると、振込先の口座と金額を表示します。",
  coupon: "お支払いはありません。注文を確定すると、すぐにご利用いただけます。",
};

/** The payment method in an address. `undefined` if it is missing or unknown. */
export function methodIn(search: URLSearchParams): PaymentMethod | undefined {
  const name = search.get("method") ?? "";
  return Object.hasOwn(methodNames, name) ? (name as PaymentMethod) : undefined;
}

/** Whether the method is a card payment, on the provider's page or with the saved card. */
export function isCard(method: PaymentMethod): boolean {
  return method === "card" || method === "saved_card";
}

/** Whether the buyer pays later at a store or a bank. */
export function isPaidLater(method: PaymentMethod): boolean {
  return method === "konbini" || method === "bank_transfer";
}
