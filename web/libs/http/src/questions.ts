import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "./api";
import { sendSignedIn } from "./transport/send";
import { PERSONAL } from "./queries";
import type {
  Given,
  LessonQuestions,
  Outcome,
  Question,
  Result,
  ResultPage,
  ReviewPage,
  SubjectGrowth,
} from "./questions-types";
import { toQuery } from "./toQuery";

type Id = number | string;
type Signal = AbortSignal | undefined;

const LMS = "/api/lms";

/** What was answered a moment ago is on other screens, too; a minute keeps page changes quiet. */
const FRESH_MS = 60_000;

const get = <Answer>(path: string, signal: Signal) =>
  sendSignedIn<Answer>({ method: "GET", url: `${LMS}/${path}`, signal });

/** What an answer counts for: the graded try where neither is given. */
export interface AnswerFor {
  /** The round of practice. */
  result?: number | null;
  /** It was due for review. */
  review?: boolean;
}

/** The calls around questions, call by call. Failures are `ApiError`s. */
export const questions = {
  ofLesson: (lesson: Id, signal?: Signal) =>
    get<LessonQuestions>(`lesson/${encodeURIComponent(lesson)}/question/`, signal),

  one: (id: Id, signal?: Signal) => get<Question>(`question/${encodeURIComponent(id)}/`, signal),

  answer: (id: Id, answer: Given, { result = null, review = false }: AnswerFor = {}) =>
    sendSignedIn<Outcome>({
      method: "POST",
      url: `${LMS}/question/${encodeURIComponent(id)}/answer/`,
      body: review ? { answer, review } : { answer, result },
    }),

  /** Begins a round of practice with every question of a lesson. */
  practice: (lesson: Id) =>
    sendSignedIn<{ result: number }>({
      method: "POST",
      url: `${LMS}/lesson/${encodeURIComponent(lesson)}/practice/`,
    }),

  results: (query: { page?: number; subject?: string | undefined }, signal?: Signal) =>
    get<ResultPage>(`result/${toQuery(query)}`, signal),

  result: (id: Id, signal?: Signal) => get<Result>(`result/${encodeURIComponent(id)}/`, signal),

  growth: (signal?: Signal) => get<{ subjects: SubjectGrowth[] }>("result/growth/", signal),

  review: (page: number, signal?: Signal) => get<ReviewPage>(`review/${toQuery({ page })}`, signal),
};

/** The questions of one lesson, and how the graded tries went. */
export const lessonQuestionsQuery = (lesson: Id) =>
  queryOptions({
    queryKey: [...PERSONAL, "question", { lesson: String(lesson) }],
    queryFn: ({ signal }) => questions.ofLesson(lesson, signal),
    staleTime: FRESH_MS,
  });

export const questionQuery = (id: Id) =>
  queryOptions({
    queryKey: [...PERSONAL, "question", String(id)],
    queryFn: ({ signal }) => questions.one(id, signal),
    staleTime: FRESH_MS,
  });

/** One page of the results, newest first; of one subject where `subject` is given. */
export const resultsQuery = (
  { subject, page = 1 }: { subject?: string | undefined; page?: number } = {},
  link?: string | null,
) =>
  queryOptions({
    queryKey: [...PERSONAL, "result", { subject: subject ?? null, page }],
    queryFn: ({ signal }) =>
      link ? api.follow<ResultPage>(link, signal) : questions.results({ page, subject }, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const resultQuery = (id: Id) =>
  queryOptions({
    queryKey: [...PERSONAL, "result", String(id)],
    queryFn: ({ signal }) => questions.result(id, signal),
    staleTime: FRESH_MS,
  });

/** How each subject went from day to day. */
export const growthQuery = queryOptions({
  queryKey: [...PERSONAL, "result", "growth"],
  queryFn: async ({ signal }) => (await questions.growth(signal)).subjects,
  staleTime: FRESH_MS,
});

/** Questions that are due again, those that have waited longest first. */
export const reviewQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "review", { page }],
    queryFn: ({ signal }) =>
      link ? api.follow<ReviewPage>(link, signal) : questions.review(page, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
