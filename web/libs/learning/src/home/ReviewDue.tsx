import { examReviewsQuery, reviewQuery, type ReviewPage } from "../api";
import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { TexText } from "@konomana/question";
import {
  LoadingState,
  Text,
  ButtonLink,
  Group,
  TitledPanel,
  TextLink,
  Lines,
  Note,
} from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { ExamReviewsDue } from "../examReview/ExamReviewsDue";

/** How many are shown; the others follow during the review. */
const SHOWN = 3;

/** Questions due for review today after a wrong answer. */
export function ReviewDue() {
  const examReviews = useQuery(examReviewsQuery);
  const inExams = examReviews.data?.count ?? 0;
  return (
    <TitledPanel title="今日の復習">
      <QueryBoundary
        part
        query={useQuery(reviewQuery())}
        loading={<LoadingState rows={3} height="3.25rem" />}
      >
        {(list) => {
          if (list.count > 0) return <Due list={list} />;
          return inExams === 0 && !examReviews.isError && <NothingDue />;
        }}
      </QueryBoundary>
      {inExams > 0 && <ExamReviewsDue count={inExams} />}
      {examReviews.isError && inExams === 0 && (
        <Note>模試の復習は、いま読み込めませんでした。</Note>
      )}
    </TitledPanel>
  );
}

function NothingDue() {
  return (
    <>
      <Text mb="xs">いま復習する問題はありません。</Text>
      <Text size="sm" dimmed>
        まちがえた問題は、次の日にここへもどってきます。正解すると3日後、7日後、14日後と間があきます。
      </Text>
    </>
  );
}

function Due({ list: { count, results } }: { list: ReviewPage }) {
  const [first] = results;
  return (
    <>
      <Lines>
        {results.slice(0, SHOWN).map(({ question_id: id, prompt, lesson }) => (
          <Group key={id} as="li" gap="sm" justify="space-between" nowrap>
            <div>
              <TextLink strong to={paths.question(lesson.id, id, { review: true })}>
                <TexText>{prompt}</TexText>
              </TextLink>
              <Text size="sm" dimmed>
                {lesson.name}
              </Text>
            </div>
          </Group>
        ))}
      </Lines>
      {first && (
        <ButtonLink
          to={paths.question(first.lesson.id, first.question_id, { review: true })}
          fullWidth
        >
          {count}問を復習する
        </ButtonLink>
      )}
    </>
  );
}
