import type { Payment } from "../api";

/** How money that goes back arrives, by the method that it was paid with. */
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
