import { paths } from "@konomana/paths";
import { CoverLink, Group, Note, Rows, Title } from "@konomana/ui-base";
import type { Subscription } from "../api";
import { learnerOf } from "../order/learnerOf";
import { nextSentence } from "./sentences";
import { StateBadge } from "./StateBadge";

/** The account's subscriptions with their next events. Renders nothing if there are none. */
export function Subscriptions({ list }: { list: readonly Subscription[] }) {
  if (list.length === 0) return null;
  return (
    <section aria-labelledby="subscriptions">
      <Title order={2} size="h4" id="subscriptions" mb="sm">
        月額サービス
      </Title>
      <Rows>
        {list.map((subscription) => (
          <Group as="li" key={subscription.id} gap="0.25rem 1rem" justify="space-between">
            <div>
              <CoverLink to={paths.subscription(subscription.id)}>
                {`${subscription.name}（${learnerOf(subscription)}）`}
              </CoverLink>
              <Note>{nextSentence(subscription)}</Note>
            </div>
            <StateBadge state={subscription.state} />
          </Group>
        ))}
      </Rows>
    </section>
  );
}
