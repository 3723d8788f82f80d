import { call, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { questionKeys, resultKeys, reviewKeys } from "./learningKeys";
import type { Given, Subject } from "./questions-types";

type Id = number | string;

/** Other screens share this data; a minute avoids refetches on navigation. */
const FRESH_MS = 60_000;

/** What an answer counts for; the graded try if both are absent. */
export interface AnswerFor {
  /** The id of a round of practice. */
  result?: number | null;
  /** The question was due for review. */
  review?: boolean;
}

/** Answers a question. Failures are `ApiError`s. */
export function answerQuestion(
  id: Id,
  answer: Given,
  { result = null, review = false }: AnswerFor = {},
) {
  const body = review ? { answer, review } : { answer, result };
  return call("POST", "/api/lms/question/{id}/answer/", { params: { id }, body });
}

/** Starts a round of practice with every question of a lesson. */
export function startPractice(lesson: Id) {
  return call("POST", "/api/lms/lesson/{id}/practice/", { params: { id: lesson } });
}

/** The questions of one lesson, with the outcomes of the graded tries. */
export const lessonQuestionsQuery = (lesson: Id) =>
  queryOptions({
    queryKey: questionKeys.ofLesson(lesson),
    queryFn: ({ signal }) =>
      call("GET", "/api/lms/lesson/{id}/question/", { params: { id: lesson }, signal }),
    staleTime: FRESH_MS,
  });

export const questionQuery = (id: Id) =>
  queryOptions({
    queryKey: questionKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/lms/question/{id}/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/**
 * One page of the results, newest first. `subject` filters them; the server refuses an unknown one.
 */
export const resultsQuery = (
  { subject, page = 1 }: { subject?: string | undefined; page?: number } = {},
  link?: string | null,
) =>
  queryOptions({
    queryKey: resultKeys.page(pageKey({ subject, page }, link)),
    queryFn: ({ signal }) =>
      call("GET", "/api/lms/result/", {
        query: { page, subject: subject as Subject },
        link,
        signal,
      }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const resultQuery = (id: Id) =>
  queryOptions({
    queryKey: resultKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/lms/result/{id}/", { params: { id }, signal }),
    staleTime: FRESH_MS,
  });

/** The results of each subject by day. */
export const growthQuery = queryOptions({
  queryKey: resultKeys.growth,
  queryFn: async ({ signal }) =>
    (await call("GET", "/api/lms/result/growth/", { signal })).subjects,
  staleTime: FRESH_MS,
});

/** Questions due for review, longest due first. */
export const reviewQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: reviewKeys.page(pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/review/", { query: { page }, link, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
