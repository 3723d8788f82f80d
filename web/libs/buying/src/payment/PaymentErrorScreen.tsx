import { unpaidFace } from "./faces";
import { failedWithoutOrder } from "./noOrder";
import { PaymentPage } from "./PaymentPage";

/** /payment/error: why a payment failed, and how to continue. */
export function PaymentErrorScreen() {
  return (
    <PaymentPage
      title="お支払いが完了していません"
      noOrder={failedWithoutOrder}
      awaiting={unpaidFace}
    />
  );
}
