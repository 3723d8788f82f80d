import { growthQuery, type ResultPage, resultsQuery } from "../api";
import { PagedList, QueryBoundary, usePaged } from "@konomana/query";
import { paths } from "@konomana/paths";
import {
  ButtonLink,
  EmptyState,
  Head,
  LoadingState,
  Stack,
  Text,
  Title,
  ChipLinks,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { Growth } from "./Growth";
import { ResultRow } from "./ResultRow";
import { Review } from "./Review";

/** /mypage/result: questions due for review, progress of each subject, and every result. */
export function ResultsScreen() {
  const subject = useSearchParams()[0].get("subject") || undefined;
  return (
    <Stack gap="xl">
      <Head title="問題の結果" />
      <Title order={1} size="h2">
        問題の結果と復習
      </Title>
      <Review />
      <Subjects subject={subject} />
      <AllResults key={subject ?? ""} subject={subject} />
    </Stack>
  );
}

/** The subjects with answers: the progress of each, and a filter for the list below. */
function Subjects({ subject }: { subject: string | undefined }) {
  const query = useQuery(growthQuery);
  return (
    <section aria-labelledby="growth">
      <Title order={2} size="h4" id="growth" mb="sm">
        教科ごとの成長
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={1} height="14rem" />}>
        {(subjects) =>
          subjects.length === 0 ? (
            <Text dimmed>問題に答えると、教科ごとの正答率がここにグラフで出ます。</Text>
          ) : (
            <>
              <ChipLinks
                scroll
                mb="lg"
                label="教科でしぼりこむ"
                chips={[
                  { label: "すべて", to: paths.results(), chosen: subject === undefined },
                  ...subjects.map((one) => ({
                    label: one.subject,
                    to: paths.results({ subject: one.subject }),
                    chosen: subject === one.subject,
                  })),
                ]}
              />
              <Growth
                subjects={subjects.filter(
                  (one) => subject === undefined || one.subject === subject,
                )}
              />
            </>
          )
        }
      </QueryBoundary>
    </section>
  );
}

function AllResults({ subject }: { subject: string | undefined }) {
  const paged = usePaged();
  const query = useQuery(resultsQuery({ subject, page: paged.page }, paged.link));
  return (
    <section aria-labelledby="all">
      <Title order={2} size="h4" id="all" mb="sm">
        {subject === undefined ? "すべての結果" : `${subject}の結果`}
      </Title>
      <PagedList paged={paged} query={query} loading={<LoadingState rows={4} height="5rem" />}>
        {(list) => <Results list={list} filtered={subject !== undefined} />}
      </PagedList>
    </section>
  );
}

function Results({ list, filtered }: { list: ResultPage; filtered: boolean }) {
  if (list.count > 0)
    return (
      <>
        <Text dimmed mb="md">
          全{list.count}件
        </Text>
        <Stack as="ul" gap="sm">
          {list.results.map((result) => (
            <ResultRow key={result.id} result={result} />
          ))}
        </Stack>
      </>
    );
  return filtered ? (
    <EmptyState
      title="この教科の結果はまだありません"
      action={
        <ButtonLink pill to={paths.results()}>
          すべての結果を見る
        </ButtonLink>
      }
    >
      レッスンの問題に答えると、ここに結果が並びます。
    </EmptyState>
  ) : (
    <EmptyState
      title="まだ結果がありません"
      action={
        <ButtonLink pill to={paths.ownedCourses()}>
          所有講座を見る
        </ButtonLink>
      }
    >
      レッスンの問題に答えると、ここに結果が並びます。
    </EmptyState>
  );
}
