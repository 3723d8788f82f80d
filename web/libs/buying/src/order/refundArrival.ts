import type { Payment } from "../api";

/** How refunded money arrives, by payment method. */
export function arrivalOf(method: Payment["method"]): string {
  switch (method) {
    case "card":
    case "saved_card":
      return "カードの明細に出るまで、数日かかることがあります。";
    case "konbini":
    case "bank_transfer":
      return "返金先の口座をおたずねするメールが、決済会社から届きます。";
    case "coupon":
      return "";
  }
}
