import { type Answer, type Body, call, pageKey, PERSONAL } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** What the learner may ask this month. */
export type Allowance = Answer<"GET", "/api/desk/question/allowance/">;
/** One page of the learner's questions. */
export type TeacherQuestionPage = Answer<"GET", "/api/desk/question/">;
export type TeacherQuestion = TeacherQuestionPage["results"][number];
/** A question with its messages. */
export type TeacherQuestionThread = Answer<"GET", "/api/desk/question/{id}/">;
export type QuestionMessage = TeacherQuestionThread["messages"][number];
/** One page of the shared questions of a lesson. */
export type LessonQuestionPage = Answer<"GET", "/api/desk/lesson/{id}/question/">;
/** A question to send. */
export type TeacherQuestionDraft = Body<"POST", "/api/desk/question/">;

/** A follow-up to send. */
export type FollowUpDraft = Body<"POST", "/api/desk/question/{id}/again/">;
/** A picture of a message. */
export type QuestionPicture = QuestionMessage["pictures"][number];

/** The prefix of every query of this library. */
export const teacherQuestionKey = [...PERSONAL, "teacher-question"] as const;

export const allowanceQuery = queryOptions({
  queryKey: [...teacherQuestionKey, "allowance"],
  queryFn: ({ signal }) => call("GET", "/api/desk/question/allowance/", { signal }),
  staleTime: 0,
});

/** The learner's questions, last changed first. */
export const teacherQuestionsQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...teacherQuestionKey, "list", pageKey({ page }, link)],
    queryFn: ({ signal }) => call("GET", "/api/desk/question/", { query: { page }, link, signal }),
    staleTime: 0,
    placeholderData: keepPreviousData,
  });

export const teacherQuestionQuery = (id: string) =>
  queryOptions({
    queryKey: [...teacherQuestionKey, "one", id],
    queryFn: ({ signal }) => call("GET", "/api/desk/question/{id}/", { params: { id }, signal }),
    staleTime: 0,
  });

/** The shared questions of a lesson that the learner owns. */
export const lessonQuestionsQuery = (lesson: number, page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...teacherQuestionKey, "lesson", lesson, pageKey({ page }, link)],
    queryFn: ({ signal }) =>
      call("GET", "/api/desk/lesson/{id}/question/", {
        params: { id: lesson },
        query: { page },
        link,
        signal,
      }),
    staleTime: 0,
  });

/** The lesson that a question is about. */
export const questionLessonQuery = (lesson: number) =>
  queryOptions({
    queryKey: [...teacherQuestionKey, "question-lesson", lesson],
    queryFn: ({ signal }) =>
      call("GET", "/api/lms/lesson/{id}/", { params: { id: lesson }, signal }),
  });

/** Asks a question. The same idempotency key returns the same question. */
export function askTeacher(draft: TeacherQuestionDraft, idempotencyKey: string) {
  return call("POST", "/api/desk/question/", { body: draft, idempotencyKey });
}

/** Asks again below an answer. */
export function askAgain(id: string, draft: FollowUpDraft, idempotencyKey: string) {
  return call("POST", "/api/desk/question/{id}/again/", {
    params: { id },
    body: draft,
    idempotencyKey,
  });
}

/** Stores a picture for a question that is sent afterwards. */
export function putQuestionPicture(picture: Blob) {
  return call("POST", "/api/desk/question/picture/", { body: picture });
}

/** A picture of the learner's own question. */
export function questionPicture(id: string) {
  return call("GET", "/api/desk/question/picture/{id}/", { params: { id } });
}

/** A picture of a shared question of a lesson. */
export function sharedQuestionPicture(lesson: number, picture: string) {
  return call("GET", "/api/desk/lesson/{id}/question/picture/{picture}/", {
    params: { id: lesson, picture },
  });
}

export function thankTeacher(id: string) {
  return call("PUT", "/api/desk/question/{id}/thanks/", { params: { id } });
}

export function shareQuestion(id: string, is_shared: boolean) {
  return call("PUT", "/api/desk/question/{id}/sharing/", { params: { id }, body: { is_shared } });
}
