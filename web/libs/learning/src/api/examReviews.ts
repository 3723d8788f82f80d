import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { reviewKeys } from "./learningKeys";

/** Other screens share this data; a minute avoids refetches on navigation. */
const FRESH_MS = 60_000;

export type ExamReviewPage = Answer<"GET", "/api/lms/exam-review/">;
/** A missed question of a mock exam that is due for review. */
export type ExamReview = ExamReviewPage["results"][number];
/** A question of a mock exam with the learner's answer and the key. */
export type ExamQuestionResult = Answer<"GET", "/api/exam/question/{id}/result/">;

/** The first exam questions due for review, longest due first. */
export const examReviewsQuery = queryOptions({
  queryKey: reviewKeys.exam,
  queryFn: ({ signal }) => call("GET", "/api/lms/exam-review/", { signal }),
  staleTime: FRESH_MS,
});

/** One of these questions. Its result is final, so the data never becomes stale. */
export const examQuestionQuery = (id: number) =>
  queryOptions({
    queryKey: reviewKeys.examQuestion(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/question/{id}/result/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/** Records whether a due question was solved. Failures are `ApiError`s. */
export function recordExamReview(id: number, is_solved: boolean) {
  return call("POST", "/api/lms/exam-review/{id}/", { params: { id }, body: { is_solved } });
}
