import type { InventoryItem } from "@konomana/learner";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  Badge,
  formatLastDay,
  LoadingState,
  Text,
  Group,
  TitledPanel,
  TextLink,
  Lines,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { expiringSoon } from "../parts/progress";
import { wholeInventoryQuery } from "@konomana/learner";

/** Courses that end within this number of days are listed. */
const SOON_DAYS = 30;

/** An end within this number of days is urgent. */
const URGENT_DAYS = 7;

/** Courses that end soon, with what happens at the end of each. */
export function ExpiringSoon() {
  return (
    <TitledPanel title="もうすぐ期限の講座">
      <QueryBoundary
        part
        query={useQuery(wholeInventoryQuery)}
        loading={<LoadingState rows={1} height="2rem" />}
      >
        {(items) => <Ending items={items} />}
      </QueryBoundary>
    </TitledPanel>
  );
}

function Ending({ items }: { items: readonly InventoryItem[] }) {
  const [now] = useState(Date.now);
  const soon = expiringSoon(items, SOON_DAYS, now);
  if (soon.length === 0)
    return <Text dimmed>これから{SOON_DAYS}日のうちに期限が切れる講座はありません。</Text>;
  return (
    <Lines>
      {soon.map(({ item, left }) => (
        <Group key={item.id} as="li" gap="sm" justify="space-between" nowrap>
          <div>
            <TextLink strong to={paths.ownedCourse(item.id)}>
              {item.course.name}
            </TextLink>
            <WhatThen item={item} />
          </div>
          <Left days={left} renewed={item.is_auto_renewal} />
        </Group>
      ))}
    </Lines>
  );
}

/** What happens at the end: an automatic renewal, or a new purchase. */
function WhatThen({ item }: { item: InventoryItem }) {
  const last = formatLastDay(item.expire_at ?? "");
  if (item.is_auto_renewal)
    return (
      <Text size="sm" dimmed>
        {last}のあと、自動で更新されます。手続きはいりません。
      </Text>
    );
  return (
    <Text size="sm" dimmed>
      {last}まで。そのあとは動画を見られませんが、記録とノートは残ります。
      <br />
      <TextLink size="sm" to={paths.course(item.course.id)}>
        つづけて学ぶには
      </TextLink>
    </Text>
  );
}

function Left({ days, renewed }: { days: number; renewed: boolean }) {
  if (renewed)
    return (
      <Badge variant="outline" color="blue" size="lg">
        自動更新
      </Badge>
    );
  return (
    <Badge variant={days <= URGENT_DAYS ? "filled" : "outline"} color="red" size="lg">
      あと{days}日
    </Badge>
  );
}
