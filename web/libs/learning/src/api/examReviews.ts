import { type Answer, call } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { reviewKeys } from "./learningKeys";

/** Other screens share this data; a minute avoids refetches on navigation. */
const FRESH_MS = 60_000;

export type ExamReviewPage = Answer<"GET", "/api/lms/exam-review/">;
/** A missed question of a mock exam that is due for review. */
export type ExamReview = ExamReviewPage["results"][number];

/** The first exam questions due for review, longest due first. */
export const examReviewsQuery = queryOptions({
  queryKey: reviewKeys.exam,
  queryFn: ({ signal }) => call("GET", "/api/lms/exam-review/", { signal }),
  staleTime: FRESH_MS,
});
