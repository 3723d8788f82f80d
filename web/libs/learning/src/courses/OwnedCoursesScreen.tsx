import { inventoryQuery, type InventoryList } from "@konomana/learner";
import { Loaded } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { Button, EmptyState, Head, LoadingState, SimpleGrid, Text, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { LinkPager } from "../parts/LinkPager";
import { usePaged } from "../parts/usePaged";
import { ItemCard } from "./ItemCard";

/** /mypage/course: every course of the learner, last watched first. */
export function Component() {
  const paged = usePaged();
  const query = useQuery(inventoryQuery(paged.page, paged.link));
  return (
    <>
      <Head title="所有講座" />
      <Title order={1} size="h2" mb="lg">
        所有講座
      </Title>
      <Loaded query={query} loading={<LoadingState rows={4} height="20rem" />}>
        {(list) => (
          <>
            <Items list={list} />
            <LinkPager
              page={list.current_page}
              pages={list.max_page}
              onPrevious={list.previous ? () => paged.toPrevious(list) : null}
              onNext={list.next ? () => paged.toNext(list) : null}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function Items({ list }: { list: InventoryList }) {
  if (list.count === 0)
    return (
      <EmptyState
        title="まだ講座がありません"
        action={
          <Button component={Link} to={paths.courses()} size="md">
            講座をさがす
          </Button>
        }
      >
        学年と教科から、学びたい講座をさがしてみましょう。
      </EmptyState>
    );
  return (
    <>
      <Text c="dimmed" mb="md">
        全{list.count}講座（修了 {list.complete_count}講座）・最近学習した順
      </Text>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2 }} spacing="md" p={0} m={0}>
        {list.results.map((item) => (
          <ItemCard key={item.id} item={item} />
        ))}
      </SimpleGrid>
    </>
  );
}
