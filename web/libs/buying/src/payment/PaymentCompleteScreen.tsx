import { returnedFace } from "./faces";
import { noOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/**
 * /payment/complete and the pages below it: the state of an order, and the next step. The
 * provider's page returns to /credit, instructions link to /bank, a saved card opens /subscribe.
 * Each page is right for every order, also if the provider's message is late.
 */
export function PaymentCompleteScreen() {
  return <PaymentPage title="お支払いを確認しています" noOrder={noOrder} awaiting={returnedFace} />;
}
