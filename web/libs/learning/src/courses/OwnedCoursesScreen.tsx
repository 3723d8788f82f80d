import { inventoryQuery, type InventoryList } from "@konomana/learner";
import { PagedList, usePaged } from "@konomana/query";
import { type OwnedState, paths } from "@konomana/paths";
import {
  ChipLinks,
  EmptyState,
  Head,
  LoadingState,
  Grid,
  Text,
  Title,
  ButtonLink,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { ItemCard } from "./ItemCard";
import { ownedStates, stateIn } from "./stateIn";

const stateNames: Readonly<Record<OwnedState, string>> = {
  all: "すべて",
  learning: "学習中",
  complete: "修了",
  expired: "期限切れ",
  new: "新着",
};

/** /mypage/course: the learner's courses, last watched first. The address has the state filter. */
export function OwnedCoursesScreen() {
  const paged = usePaged();
  const state = stateIn(useSearchParams()[0]);
  const query = useQuery(inventoryQuery(paged.page, paged.link, state));
  return (
    <>
      <Head title="所有講座" />
      <Title order={1} size="h2" mb="lg">
        所有講座
      </Title>
      <States state={state} counts={query.data?.state_counts} />
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="20rem" />}>
        {(list) => <Items list={list} state={state} />}
      </PagedList>
    </>
  );
}

interface StatesProps {
  state: OwnedState;
  counts: InventoryList["state_counts"];
}

function States({ state, counts }: StatesProps) {
  const all = counts && counts.learning + counts.complete + counts.expired + counts.new;
  return (
    <ChipLinks
      mb="lg"
      label="講座の状態でしぼりこむ"
      chips={ownedStates.map((one) => ({
        to: paths.ownedCourses({ state: one }),
        label: stateNames[one],
        count: one === "all" ? all : counts?.[one],
        chosen: one === state,
      }))}
    />
  );
}

function Items({ list, state }: { list: InventoryList; state: OwnedState }) {
  if (list.count === 0)
    return state === "all" ? (
      <EmptyState
        title="まだ講座がありません"
        action={<ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>}
      >
        学年と教科から、学びたい講座をさがしてみましょう。
      </EmptyState>
    ) : (
      <EmptyState
        title={`「${stateNames[state]}」の講座はありません`}
        action={<ButtonLink to={paths.ownedCourses()}>すべての所有講座を見る</ButtonLink>}
      >
        ほかの状態の講座は、上のボタンから見られます。
      </EmptyState>
    );
  return (
    <>
      <Text dimmed mb="md">
        最近学習した順
      </Text>
      <Grid as="ul" wideCols={2} gap="md">
        {list.results.map((item) => (
          <ItemCard key={item.id} item={item} />
        ))}
      </Grid>
    </>
  );
}
