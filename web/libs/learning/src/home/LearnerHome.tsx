import { checkQuery, favoriteQuery, inventoryQuery, type User } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { LoadingState, SimpleGrid, Stack, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { itemsByCourse, wholeInventoryQuery } from "../parts/wholeInventory";
import { Counts } from "./Counts";
import { ExpiringSoon } from "./ExpiringSoon";
import { GoOn } from "./GoOn";
import { NewestMarks } from "./NewestMarks";

/** A learner's my page: where to go on, how far they have come, what ends soon. */
export function LearnerHome({ user }: { user: User }) {
  const inventory = useQuery(inventoryQuery());
  const items = useQuery(wholeInventoryQuery);
  const favorites = useQuery(favoriteQuery());
  const checks = useQuery(checkQuery());
  const owned = itemsByCourse(items.data);
  return (
    <Stack gap="xl">
      <Title order={1} size="h2">
        {user.last_name} {user.first_name}さん、おかえりなさい
      </Title>
      <Loaded query={inventory} loading={<LoadingState rows={1} height="15rem" />}>
        {(list) => <GoOn items={list.results} />}
      </Loaded>
      <Counts
        courses={inventory.data?.count}
        completed={inventory.data?.complete_count}
        checks={checks.data?.count}
        favorites={favorites.data?.count}
      />
      {items.data && <ExpiringSoon items={items.data} />}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg">
        <NewestMarks
          title="さいきん学習したレッスン"
          empty="レッスンにチェックをつけると、ここに並びます。"
          query={checks}
          owned={owned}
        />
        <NewestMarks
          title="さいきんのお気に入り"
          empty="レッスンの星を押すと、ここに並びます。"
          query={favorites}
          owned={owned}
        />
      </SimpleGrid>
    </Stack>
  );
}
