import { productOffersQuery } from "@konomana/cart";
import { bookmarkQuery, type BookmarkPage, wholeInventoryQuery } from "@konomana/learner";
import { paths } from "@konomana/paths";
import { PagedList, usePaged } from "@konomana/query";
import { EmptyState, Head, LoadingState, Text, Title, ButtonLink, Stack } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { itemsByCourse } from "../parts/itemsByCourse";
import { BookmarkRow } from "./BookmarkRow";

/** /mypage/bookmark: the bookmarked courses. */
export function BookmarksScreen() {
  const paged = usePaged();
  const query = useQuery(bookmarkQuery(paged.page, paged.link));
  return (
    <>
      <Head title="あとで見る" />
      <Title order={1} size="h2" mb="lg">
        あとで見る
      </Title>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="6.5rem" />}>
        {(list) => <Bookmarks key={paged.page} list={list} />}
      </PagedList>
    </>
  );
}

function Bookmarks({ list }: { list: BookmarkPage }) {
  const inventory = useQuery(wholeInventoryQuery);
  const owned = itemsByCourse(inventory.data);
  const offers = useQuery(productOffersQuery(list.results.map(({ course }) => course.id)));
  if (list.count === 0)
    return (
      <EmptyState
        title="あとで見る講座はまだありません"
        action={<ButtonLink to={paths.ownedCourses()}>所有講座を見る</ButtonLink>}
      >
        講座のページで「あとで見る」を押すと、ここに並びます。
      </EmptyState>
    );
  return (
    <>
      <Text dimmed mb="md">
        全{list.count}講座
      </Text>
      <Stack as="ul" gap="sm">
        {list.results.map((bookmark) => (
          <BookmarkRow
            key={bookmark.course.id}
            bookmark={bookmark}
            item={owned.get(bookmark.course.id) ?? null}
            product={offers.data?.get(bookmark.course.id)}
          />
        ))}
      </Stack>
    </>
  );
}
