import { inventoryQuery, type InventoryList } from "@konomana/learner";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  EmptyState,
  Head,
  LoadingState,
  Grid,
  Text,
  Title,
  ButtonLink,
  StepPager,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { usePaged } from "../parts/usePaged";
import { ItemCard } from "./ItemCard";

/** /mypage/course: every course of the learner, last watched first. */
export function OwnedCoursesScreen() {
  const paged = usePaged();
  const query = useQuery(inventoryQuery(paged.page, paged.link));
  return (
    <>
      <Head title="所有講座" />
      <Title order={1} size="h2" mb="lg">
        所有講座
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={4} height="20rem" />}>
        {(list) => (
          <>
            <Items list={list} />
            <StepPager
              page={list.current_page}
              pages={list.max_page}
              onPrevious={list.previous ? () => paged.toPrevious(list) : null}
              onNext={list.next ? () => paged.toNext(list) : null}
            />
          </>
        )}
      </QueryBoundary>
    </>
  );
}

function Items({ list }: { list: InventoryList }) {
  if (list.count === 0)
    return (
      <EmptyState
        title="まだ講座がありません"
        action={<ButtonLink to={paths.courses()}>講座をさがす</ButtonLink>}
      >
        学年と教科から、学びたい講座をさがしてみましょう。
      </EmptyState>
    );
  return (
    <>
      <Text dimmed mb="md">
        全{list.count}講座（修了 {list.complete_count}講座）・最近学習した順
      </Text>
      <Grid as="ul" wideCols={2} gap="md">
        {list.results.map((item) => (
          <ItemCard key={item.id} item={item} />
        ))}
      </Grid>
    </>
  );
}
