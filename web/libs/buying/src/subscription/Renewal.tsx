import { ConfirmButton } from "@konomana/query";
import {
  formatDate,
  formatLastDay,
  formatYen,
  Note,
  showBlue,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type Subscription, subscriptionKeys, subscriptionQuery, subscriptions } from "../api";
import { nextSentence, usableUntil } from "./sentences";

interface RenewalProps {
  subscription: Subscription;
}

/** The next charge, with the button to cancel or to resume the subscription. */
export function Renewal({ subscription }: RenewalProps) {
  const { price, started_at, cancel_until, can_cancel, can_resume } = subscription;
  return (
    <TitledPanel gap="sm" title="契約の内容">
      <Text bold>{nextSentence(subscription)}</Text>
      <Note>
        月{formatYen(price)}（税込）・1か月ごとに自動更新
        {started_at !== null && `・${formatDate(started_at)}から`}
      </Note>
      {can_cancel && cancel_until !== null && (
        <Text>{formatLastDay(cancel_until)}までに解約すると、次のお支払いはありません。</Text>
      )}
      {can_cancel && <Cancel subscription={subscription} />}
      {can_resume && <Resume subscription={subscription} />}
    </TitledPanel>
  );
}

/** Mutation of a subscription that stores the response in the cache. */
function useChange({ id }: Subscription, change: () => Promise<Subscription>, done: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (now) => {
      queries.setQueryData(subscriptionQuery(id).queryKey, now);
      void queries.invalidateQueries({ queryKey: subscriptionKeys.all, refetchType: "none" });
      showBlue(done);
    },
    // It may have ended or been changed on another device.
    onError: () => queries.invalidateQueries(subscriptionQuery(id)),
  });
}

function Cancel({ subscription }: RenewalProps) {
  const { id, name, state } = subscription;
  const cancelling = useChange(
    subscription,
    () => subscriptions.cancel(id),
    "解約の手続きをしました。",
  );
  return (
    <div>
      <ConfirmButton
        label="解約する"
        title={`「${name}」を解約しますか？`}
        yes="解約する"
        doing={cancelling}
      >
        {state === "past_due"
          ? "すぐに終了し、これからは請求しません。"
          : `次の更新からは請求しません。${usableUntil(subscription)}それまでなら、いつでも解約を取り消せます。`}
        お支払い済みの月の料金は、お返ししません。
      </ConfirmButton>
    </div>
  );
}

function Resume({ subscription }: RenewalProps) {
  const { id, name, price, current_period_end: end } = subscription;
  const resuming = useChange(
    subscription,
    () => subscriptions.resume(id),
    "解約を取り消しました。",
  );
  return (
    <div>
      <ConfirmButton
        label="解約を取り消して続ける"
        title={`「${name}」を続けますか？`}
        yes="続ける"
        doing={resuming}
      >
        これまでどおり、1か月ごとに自動で更新します。
        {end !== null && `次のお支払いは${formatDate(end)}、${formatYen(price)}です。`}
      </ConfirmButton>
    </div>
  );
}
