import { resultsQuery, type ResultPage } from "@konomana/api";
import { Loaded } from "@konomana/calls";
import { paths } from "@konomana/paths";
import { Button, EmptyState, Head, LoadingState, Text, Title } from "@konomana/ui";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { LinkPager } from "../parts/LinkPager";
import { usePaged } from "../parts/usePaged";

/** The server's page size (the rules of the wire): how many pages a count makes. */
const PAGE_SIZE = 20;

/** /mypage/result: how the questions of every lesson went. */
export function Component() {
  const paged = usePaged();
  const query = useQuery(resultsQuery({ page: paged.page }, paged.link));
  return (
    <>
      <Head title="問題の結果" />
      <Title order={1} size="h2" mb="lg">
        問題の結果
      </Title>
      <Loaded query={query} loading={<LoadingState rows={4} height="5rem" />}>
        {(list) => (
          <>
            <Results list={list} />
            <LinkPager
              page={paged.page}
              pages={Math.ceil(list.count / PAGE_SIZE)}
              onPrevious={list.previous ? () => paged.toPrevious(list) : null}
              onNext={list.next ? () => paged.toNext(list) : null}
            />
          </>
        )}
      </Loaded>
    </>
  );
}

function Results({ list }: { list: ResultPage }) {
  if (list.count === 0)
    return (
      <EmptyState
        title="まだ結果がありません"
        action={
          <Button component={Link} to={paths.myCourses()} size="md">
            所有講座を見る
          </Button>
        }
      >
        レッスンの問題に答えると、ここに結果が並びます。
      </EmptyState>
    );
  return (
    <ul>
      {list.results.map(({ id, lesson, question_count, right_count }) => (
        <li key={id}>
          <Link to={paths.result(lesson.id, id)}>{lesson.name}</Link>
          <Text size="sm" c="dimmed">
            {question_count}問中 {right_count}問正解
          </Text>
        </li>
      ))}
    </ul>
  );
}
