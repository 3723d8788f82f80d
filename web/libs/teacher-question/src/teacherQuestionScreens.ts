import { paths } from "@konomana/paths";
import { pageIn } from "@konomana/query";
import { defineScreen, hasIdentifier, hasThread } from "@konomana/screens";
import {
  allowanceQuery,
  lessonQuestionsQuery,
  teacherQuestionQuery,
  teacherQuestionsQuery,
} from "./teacherQuestionCalls";

const learner = { layout: "mypage", serving: "client", scope: "learner" } as const;

export const screens = [
  defineScreen({
    ...learner,
    pattern: paths.teacherQuestions.pattern,
    warm: (queries, { search }) => [
      queries.prefetchQuery(allowanceQuery),
      queries.prefetchQuery(teacherQuestionsQuery(pageIn(search))),
    ],
    component: async () => (await import("./TeacherQuestionsScreen")).TeacherQuestionsScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.askTeacher.pattern,
    warm: (queries) => [queries.prefetchQuery(allowanceQuery)],
    component: async () => (await import("./AskTeacherScreen")).AskTeacherScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.teacherQuestion.pattern,
    valid: hasThread,
    warm: (queries, { params: { thread = "" } }) => [
      queries.prefetchQuery(teacherQuestionQuery(thread)),
    ],
    component: async () => (await import("./TeacherQuestionScreen")).TeacherQuestionScreen,
  }),
  defineScreen({
    ...learner,
    pattern: paths.lessonQuestions.pattern,
    valid: hasIdentifier,
    warm: (queries, { params: { id = "" }, search }) => [
      queries.prefetchQuery(lessonQuestionsQuery(Number(id), pageIn(search))),
    ],
    component: async () => (await import("./LessonQuestionsScreen")).LessonQuestionsScreen,
  }),
];
