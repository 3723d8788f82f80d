import { payableFace } from "./faces";
import { noOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/** /payment: an unpaid order with the link to the provider's page. That page also returns here. */
export function PaymentScreen() {
  return <PaymentPage title="お支払い" noOrder={noOrder} awaiting={payableFace} />;
}
