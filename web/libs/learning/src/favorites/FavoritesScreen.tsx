import {
  favoriteQuery,
  type InventoryItem,
  type MarkPage,
  wholeInventoryQuery,
} from "@konomana/learner";
import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import { EmptyState, Head, LoadingState, Text, Title, ButtonLink } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { itemsByCourse } from "../parts/itemsByCourse";
import { courseIn } from "./courseIn";
import { CourseFilter } from "./CourseFilter";
import { FavoriteGroups } from "./FavoriteGroups";

/** /mypage/favorite: starred lessons by course. The address has the course filter. */
export function FavoritesScreen() {
  const paged = usePaged();
  const course = courseIn(useSearchParams()[0]);
  const query = useQuery(
    favoriteQuery({ page: paged.page, ...(course === null ? {} : { course }) }, paged.link),
  );
  const inventory = useQuery(wholeInventoryQuery);
  const owned = itemsByCourse(inventory.data);
  return (
    <>
      <Head title="お気に入り" />
      <Title order={1} size="h2" mb="lg">
        お気に入り
      </Title>
      <CourseFilter items={[...owned.values()]} course={course} />
      <PagedList paged={paged} query={query} loading={<LoadingState rows={3} height="9rem" />}>
        {(list) => (
          <Favorites
            key={`${course}-${paged.page}`}
            list={list}
            owned={owned}
            filtered={course !== null}
          />
        )}
      </PagedList>
    </>
  );
}

interface FavoritesProps {
  list: MarkPage;
  owned: ReadonlyMap<number, InventoryItem>;
  filtered: boolean;
}

function Favorites({ list, owned, filtered }: FavoritesProps) {
  if (list.count > 0)
    return (
      <>
        <Text dimmed mb="md">
          全{list.count}レッスン
        </Text>
        <FavoriteGroups marks={list.results} owned={owned} />
      </>
    );
  return filtered ? (
    <EmptyState
      title="この講座のお気に入りはまだありません"
      action={<ButtonLink to={paths.favorites()}>すべてのお気に入りを見る</ButtonLink>}
    >
      レッスンの星を押すと、ここに並びます。
    </EmptyState>
  ) : (
    <EmptyState
      title="お気に入りはまだありません"
      action={<ButtonLink to={paths.ownedCourses()}>所有講座を見る</ButtonLink>}
    >
      もう一度見たいレッスンの星を押すと、ここに並びます。
    </EmptyState>
  );
}
