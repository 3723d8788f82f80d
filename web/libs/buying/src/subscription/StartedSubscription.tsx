import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import {
  ButtonLink,
  formatLastDay,
  formatYen,
  LoadingState,
  Text,
  TitledPanel,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { type Subscription, subscriptionQuery } from "../api";
import { learnerOf } from "../order/learnerOf";
import { nextSentence } from "./sentences";

/** Polling interval until the first charge is booked. */
const ASK_AGAIN_MS = 2000;

/** Facts about a new subscription: its next charge and how to cancel it. */
export function StartedSubscription({ id }: { id: string }) {
  const query = useQuery({
    ...subscriptionQuery(id),
    refetchInterval: ({ state: { data } }) => (data?.state === "incomplete" ? ASK_AGAIN_MS : false),
  });
  return (
    <TitledPanel gap="sm" title="月額サービス">
      <QueryBoundary query={query} loading={<LoadingState rows={1} height="8rem" />} part>
        {(subscription) => <Started subscription={subscription} />}
      </QueryBoundary>
    </TitledPanel>
  );
}

function Started({ subscription }: { subscription: Subscription }) {
  const { id, name, price, cancel_until: until } = subscription;
  return (
    <>
      <Text bold>
        {name}（{learnerOf(subscription)}・月{formatYen(price)}）
      </Text>
      <Text>{nextSentence(subscription)}</Text>
      <Text>
        1か月ごとに自動で更新します。やめるときは、下の画面から2回押すだけで解約できます。
        {until !== null && `${formatLastDay(until)}までに解約すると、次のお支払いはありません。`}
      </Text>
      <div>
        <ButtonLink to={paths.subscription(id)} variant="default">
          契約の内容と解約
        </ButtonLink>
      </div>
    </>
  );
}
