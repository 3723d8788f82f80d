import { Alert } from "@konomana/ui-base";
import type { Payment } from "../api";
import { isCard } from "../method/methods";
import { declineSentence } from "./declineSentence";

/** The reason of a declined payment. Renders nothing if the last attempt was not declined. */
export function Declined({ payment: { decline_code: code, method } }: { payment: Payment }) {
  if (code === null) return null;
  if (isCard(method))
    return (
      <Alert color="red" title="カードが使えませんでした">
        {declineSentence(code)}
      </Alert>
    );
  return (
    <Alert color="red" title="お支払いの準備ができませんでした">
      決済会社が、このお支払い方法を受け付けませんでした。もう一度お試しいただくか、別の方法をお選びください。
    </Alert>
  );
}
