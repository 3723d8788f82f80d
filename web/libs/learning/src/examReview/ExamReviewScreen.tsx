import { QueryBoundary } from "@konomana/query";
import { paths } from "@konomana/paths";
import { ButtonLink, EmptyState, Head, LoadingState, Stack, Text, Title } from "@konomana/ui-base";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type ExamReviewPage, examReviewsQuery } from "../api";
import { ExamReviewQuestion } from "./ExamReviewQuestion";

/** /mypage/review: missed questions of mock exams that are due, one at a time. */
export function ExamReviewScreen() {
  const query = useQuery(examReviewsQuery);
  return (
    <Stack gap="lg">
      <Head title="模試の復習" />
      <Title order={1} size="h2">
        模試の復習
      </Title>
      <QueryBoundary query={query} loading={<LoadingState rows={2} height="12rem" />}>
        {(list) => <Due list={list} />}
      </QueryBoundary>
    </Stack>
  );
}

function Due({ list: { count, results } }: { list: ExamReviewPage }) {
  const [review] = results;
  const [first] = useState(review?.question_id);
  if (review === undefined)
    return (
      <EmptyState
        title="いま復習する問題はありません"
        action={
          <ButtonLink pill to={paths.mypage()}>
            マイページへ
          </ButtonLink>
        }
      >
        模試でまちがえた問題は、1日後、3日後、7日後、14日後にここに出ます。
      </EmptyState>
    );
  return (
    <>
      <Text>復習する問題が{count}問あります。もう一度といてから、答えを見ましょう。</Text>
      <ExamReviewQuestion
        key={review.question_id}
        review={review}
        follows={review.question_id !== first}
      />
    </>
  );
}
