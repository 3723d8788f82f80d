import { returnedFace } from "./faces";
import { noOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/**
 * /payment/complete, and /payment/complete/credit, where the provider's page leads to: what became of the payment. It is
 * right also when the provider's message comes late.
 */
export function PaymentCompleteScreen() {
  return <PaymentPage title="お支払いを確認しています" noOrder={noOrder} awaiting={returnedFace} />;
}
