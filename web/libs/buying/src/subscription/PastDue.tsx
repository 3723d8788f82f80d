import { paths } from "@konomana/paths";
import { Alert, formatDate, formatLastDay, TextLink } from "@konomana/ui-base";
import type { Subscription } from "../api";
import { declineSentence } from "../order/declineSentence";

/** What to do about a failed charge. Renders nothing without one. */
export function PastDue({ subscription }: { subscription: Subscription }) {
  const { state, decline_code: code, retry_at: retry, ends_at: end } = subscription;
  if (state !== "past_due") return null;
  return (
    <Alert color="red" title="今月のお支払いができていません">
      {code !== null && <p>{declineSentence(code)}</p>}
      <p>
        カードを変えるか、カードの残高や限度額をお確かめください。
        {retry !== null && `${formatDate(retry)}に、自動でもう一度請求します。`}
        {end !== null && `お支払いがないときは、${formatLastDay(end)}で終了します。`}
        二重に請求されることはありません。
      </p>
      <TextLink inline to={paths.settingsCard()}>
        カードを変える
      </TextLink>
    </Alert>
  );
}
