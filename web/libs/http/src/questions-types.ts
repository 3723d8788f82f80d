/** Questions of lessons, their results, and what comes back for review, as the edge's API document describes them. */
import type { Body, Ok } from "./of-schema";
import type { paths } from "./schema";

/** The questions of a lesson; `result` is the graded round once it has begun. */
export type LessonQuestions = Ok<paths["/api/lms/lesson/{id}/question/"]["get"]>;
/** A question as its lesson lists it; `graded` is null before the graded try. */
export type QuestionSummary = LessonQuestions["results"][number];

/** A question as it is asked; `graded` is null before the graded try. */
export type Question = Ok<paths["/api/lms/question/{id}/"]["get"]>;
export type QuestionKind = Question["kind"];
export type Choice = Question["choices"][number];

/** What somebody answers: the choices, the number or the words. */
export type Given = Body<paths["/api/lms/question/{id}/answer/"]["post"]>["answer"];
/** What became of an answer. Before the graded try nobody gets one; in review it belongs to no round. */
export type Outcome = Ok<paths["/api/lms/question/{id}/answer/"]["post"]>;
/** Which round an answer belongs to, and how far that one is. */
export type ResultProgress = NonNullable<Outcome["result"]>;

export type ResultPage = Ok<paths["/api/lms/result/"]["get"]>;
/** How a result is listed: the graded round of a lesson, or one of practice. */
export type ResultSummary = ResultPage["results"][number];
export type Result = Ok<paths["/api/lms/result/{id}/"]["get"]>;
/** One question of a result; what reveals the answer is null until it is answered. */
export type ResultAnswer = Result["answers"][number];

/** How a subject went, one point for each learning day with answers. */
export type SubjectGrowth = Ok<paths["/api/lms/result/growth/"]["get"]>["subjects"][number];

export type ReviewPage = Ok<paths["/api/lms/review/"]["get"]>;
/** A question that is due again, because it was answered wrong. */
export type ReviewItem = ReviewPage["results"][number];
