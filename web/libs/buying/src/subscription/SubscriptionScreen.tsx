import { paths } from "@konomana/paths";
import { QueryBoundary } from "@konomana/query";
import { Group, Head, LoadingState, Stack, Text, TextLink, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "react-router";
import { type Subscription, subscriptionQuery } from "../api";
import { learnerOf } from "../order/learnerOf";
import { OutOfReach } from "../order/OutOfReach";
import { Charges } from "./Charges";
import { ChargedCard } from "./ChargedCard";
import { PastDue } from "./PastDue";
import { Renewal } from "./Renewal";
import { StateBadge } from "./StateBadge";

/**
 * /mypage/history/subscribe/{id}: one subscription with its next charge, its end, its card and its
 * past charges.
 */
export function SubscriptionScreen() {
  const { subscription: id = "" } = useParams();
  const query = useQuery({ ...subscriptionQuery(id), refetchOnWindowFocus: "always" });
  return (
    <>
      <TextLink to={paths.orders()}>← ご注文履歴にもどる</TextLink>
      <OutOfReach error={query.error} />
      <QueryBoundary query={query} loading={<SubscriptionLoading />}>
        {(subscription) => <Detail subscription={subscription} />}
      </QueryBoundary>
    </>
  );
}

function SubscriptionLoading() {
  return (
    <>
      <Head title="月額サービス" />
      <LoadingState rows={3} height="9rem" />
    </>
  );
}

function Detail({ subscription }: { subscription: Subscription }) {
  const { name, state } = subscription;
  return (
    <Stack gap="lg">
      <Head title={name} />
      <div>
        <Title order={1} size="h2">
          {name}
        </Title>
        <Group gap="0.25rem 0.75rem" mt="xxs">
          <Text dimmed>ご利用になる方：{learnerOf(subscription)}</Text>
          <span role="status">
            <StateBadge state={state} />
          </span>
        </Group>
      </div>
      <PastDue subscription={subscription} />
      <Renewal subscription={subscription} />
      {state !== "ended" && <ChargedCard card={subscription.card} />}
      <Charges charges={subscription.orders} />
    </Stack>
  );
}
