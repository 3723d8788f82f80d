import type { SavedCard } from "./api/cardTypes";

/** Display names of card brands, by the provider's names. */
const brands = new Map([
  ["visa", "Visa"],
  ["mastercard", "Mastercard"],
  ["jcb", "JCB"],
  ["amex", "American Express"],
  ["diners", "Diners Club"],
  ["discover", "Discover"],
  ["unionpay", "UnionPay"],
]);

/** The display name of a card: `Visa（末尾 4242）`. */
export function cardName({ brand, last4 }: Pick<SavedCard, "brand" | "last4">): string {
  return `${brands.get(brand) ?? "クレジットカード"}（末尾 ${last4}）`;
}

/** The expiry month of a card: `2034年12月`. */
export function cardExpiry({
  exp_month,
  exp_year,
}: Pick<SavedCard, "exp_month" | "exp_year">): string {
  return `${exp_year}年${exp_month}月`;
}
