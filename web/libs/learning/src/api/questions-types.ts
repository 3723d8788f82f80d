/** Questions of lessons, their results, and what comes back for review, as the API's document describes them. */
import type { Answer, Body, Query } from "@konomana/http";

/** The questions of a lesson; `result` is the graded round once it has begun. */
export type LessonQuestions = Answer<"GET", "/api/lms/lesson/{id}/question/">;
/** A question as its lesson lists it; `graded` is null before the graded try. */
export type QuestionSummary = LessonQuestions["results"][number];

/** A question as it is asked; `graded` is null before the graded try. */
export type Question = Answer<"GET", "/api/lms/question/{id}/">;
export type QuestionKind = Question["kind"];
export type Choice = Question["choices"][number];

/** What somebody answers: the choices, the number or the words. */
export type Given = Body<"POST", "/api/lms/question/{id}/answer/">["answer"];
/** What became of an answer. Before the graded try nobody gets one; in review it belongs to no round. */
export type Outcome = Answer<"POST", "/api/lms/question/{id}/answer/">;
/** Which round an answer belongs to, and how far that one is. */
export type ResultProgress = NonNullable<Outcome["result"]>;

export type ResultPage = Answer<"GET", "/api/lms/result/">;
/** How a result is listed: the graded round of a lesson, or one of practice. */
export type ResultSummary = ResultPage["results"][number];
export type Result = Answer<"GET", "/api/lms/result/{id}/">;
/** One question of a result; what reveals the answer is null until it is answered. */
export type ResultAnswer = Result["answers"][number];

/** What a list of results can be narrowed to. */
export type Subject = Query<"GET", "/api/lms/result/">["subject"];
/** How a subject went, one point for each learning day with answers. */
export type SubjectGrowth = Answer<"GET", "/api/lms/result/growth/">["subjects"][number];

export type ReviewPage = Answer<"GET", "/api/lms/review/">;
/** A question that is due again, because it was answered wrong. */
export type ReviewItem = ReviewPage["results"][number];
