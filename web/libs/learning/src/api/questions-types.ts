/** Types of questions, results and reviews, from the API document. */
import type { Answer, Body, Query } from "@konomana/http";

/** The questions of a lesson; `result` is the graded round, if it has begun. */
export type LessonQuestions = Answer<"GET", "/api/lms/lesson/{id}/question/">;
/** A question in the list of its lesson; `graded` is null before the graded try. */
export type QuestionSummary = LessonQuestions["results"][number];

/** A question to answer; `graded` is null before the graded try. */
export type Question = Answer<"GET", "/api/lms/question/{id}/">;
export type QuestionKind = Question["kind"];
export type Choice = Question["choices"][number];

/** A person's answer: choices, a number or a text. */
export type Given = Body<"POST", "/api/lms/question/{id}/answer/">["answer"];
/**
 * The outcome of an answer. It is available only after the graded try. In review it belongs to no
 * round.
 */
export type Outcome = Answer<"POST", "/api/lms/question/{id}/answer/">;
/** The round that an answer belongs to, and its progress. */
export type ResultProgress = NonNullable<Outcome["result"]>;

export type ResultPage = Answer<"GET", "/api/lms/result/">;
/** A result in a list: the graded round of a lesson, or a round of practice. */
export type ResultSummary = ResultPage["results"][number];
export type Result = Answer<"GET", "/api/lms/result/{id}/">;
/** One question of a result; the fields that reveal the answer are null until it is answered. */
export type ResultAnswer = Result["answers"][number];

/** A subject by which results can be filtered. */
export type Subject = Query<"GET", "/api/lms/result/">["subject"];
/** A subject's results over time, with one point for each learning day with answers. */
export type SubjectGrowth = Answer<"GET", "/api/lms/result/growth/">["subjects"][number];

export type ReviewPage = Answer<"GET", "/api/lms/review/">;
/** A question due for review after a wrong answer. */
export type ReviewItem = ReviewPage["results"][number];
