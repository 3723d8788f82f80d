import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { reviewKeys } from "./learningKeys";

/** A question of a mock exam with the learner's answer and the key. */
export type ExamQuestionResult = Answer<"GET", "/api/exam/question/{id}/result/">;

/** A missed question of a mock exam. Its result is final, so the data never becomes stale. */
export const examQuestionQuery = (id: number) =>
  queryOptions({
    queryKey: reviewKeys.examQuestion(id),
    queryFn: ({ signal }) =>
      call("GET", "/api/exam/question/{id}/result/", { params: { id }, signal }),
    staleTime: Infinity,
  });

/** Records whether a due question was solved. Failures are `ApiError`s. */
export function recordExamReview(id: number, is_solved: boolean) {
  return call("POST", "/api/lms/exam-review/{id}/", { params: { id }, body: { is_solved } });
}
