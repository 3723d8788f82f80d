import { Alert } from "@konomana/ui-base";
import { isOutOfReach } from "./useOrder";

/** Notice that an order may be out of date while the network is down. */
export function OutOfReach({ error }: { error: Error | null }) {
  return (
    isOutOfReach(error) && (
      <Alert color="gray" role="alert" title="インターネットにつながっていません">
        つながると、自動で新しい状態を表示します。お支払いの結果は、この画面を閉じても変わりません。
      </Alert>
    )
  );
}
