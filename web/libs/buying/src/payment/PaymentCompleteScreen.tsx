import { returnedFace } from "./faces";
import { noOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/**
 * /payment/complete and the pages below it: what became of an order, and what is next. The provider's page leads to
 * /credit, instructions lead to /bank, a saved card to /subscribe; each is right for every order, also when the
 * provider's message comes late.
 */
export function PaymentCompleteScreen() {
  return <PaymentPage title="お支払いを確認しています" noOrder={noOrder} awaiting={returnedFace} />;
}
