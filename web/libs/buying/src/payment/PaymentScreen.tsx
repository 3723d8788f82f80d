import { payableFace } from "./faces";
import { noOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/** /payment: an order that awaits its payment, and the way to the provider's page; also where that page leads back to. */
export function PaymentScreen() {
  return <PaymentPage title="お支払い" noOrder={noOrder} awaiting={payableFace} />;
}
