import { Alert } from "@konomana/ui-base";
import { isOutOfReach } from "./useOrder";

/** Says that an order is not up to date because the network is gone, as long as it is. */
export function OutOfReach({ error }: { error: Error | null }) {
  return (
    isOutOfReach(error) && (
      <Alert color="gray" role="alert" title="インターネットにつながっていません">
        つながると、自動で新しい状態を表示します。お支払いの結果は、この画面を閉じても変わりません。
      </Alert>
    )
  );
}
