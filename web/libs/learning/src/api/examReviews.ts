import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { reviewKeys } from "./learningKeys";

/** What was answered a moment ago is on other screens, too; a minute keeps page changes quiet. */
const FRESH_MS = 60_000;

export type ExamReviewPage = Answer<"GET", "/api/lms/exam-review/">;
/** A question of a mock exam that is due again, because it was missed. */
export type ExamReview = ExamReviewPage["results"][number];
/** A question of a mock exam, with what the learner answered and the key. */
export type ExamQuestionResult = Answer<"GET", "/api/exam/question/{id}/result/">;

/** The first questions of mock exams that are due again, those that have waited longest first. */
export const examReviewsQuery = queryOptions({
  queryKey: reviewKeys.exam,
  queryFn: ({ signal }) => call("GET", "/api/lms/exam-review/", { signal }),
  staleTime: FRESH_MS,
});

/** One of these questions. Its result is final, so it never changes. */
export const examQuestionQuery = (id: number) =>
  queryOptions({
    queryKey: reviewKeys.examQuestion(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/question/{id}/result/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/** Says whether a due question was solved. Failures are `ApiError`s. */
export function recordExamReview(id: number, is_solved: boolean) {
  return call("POST", "/api/lms/exam-review/{id}/", { params: { id }, body: { is_solved } });
}
