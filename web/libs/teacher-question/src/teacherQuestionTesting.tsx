/** Fixtures of questions to teachers, and their screens in a router. */
import { signInAt } from "@konomana/session/testing";
import { type Answers, lessonOf } from "@konomana/testing";
import { Alerts } from "@konomana/ui-base";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { render } from "vitest-browser-react";
import { AskTeacherScreen } from "./AskTeacherScreen";
import { LessonQuestionsScreen } from "./LessonQuestionsScreen";
import type {
  Allowance,
  QuestionMessage,
  TeacherQuestion,
  TeacherQuestionThread,
} from "./teacherQuestionCalls";
import { TeacherQuestionScreen } from "./TeacherQuestionScreen";
import { TeacherQuestionsScreen } from "./TeacherQuestionsScreen";

export const ID = "01936f2a-4c00-7a31-8b52-1f6d0c9e4aff";
export const TEXT = "移項すると符号が変わるのはなぜですか。";

export const allowance: Allowance = {
  left: 2,
  monthly: 3,
  renews_at: "2026-11-30T15:00:00Z",
  unread: 0,
};
export const waiting: TeacherQuestion = {
  id: ID,
  text: TEXT,
  place: {
    course: 201,
    course_name: "中1数学 正負の数と文字式",
    lesson: 201010101,
    lesson_name: "正の数と負の数",
    at: 200,
    exercise: null,
    exercise_text: null,
  },
  asked_at: "2026-11-21T00:00:00Z",
  is_waiting: true,
  due_at: "2026-11-22T00:00:00Z",
  teacher: "",
  answered_at: null,
  is_unread: false,
  is_thanked: false,
  is_shared: false,
  can_ask_again: false,
};
export const answered: TeacherQuestion = {
  ...waiting,
  is_waiting: false,
  due_at: null,
  teacher: "高瀬航",
  answered_at: "2026-11-21T05:00:00Z",
  can_ask_again: true,
};
export const asked: QuestionMessage = {
  teacher: "",
  text: TEXT,
  sent_at: "2026-11-21T00:00:00Z",
  lesson: null,
  at: null,
  pictures: [],
};
export const reply: QuestionMessage = {
  teacher: "高瀬航",
  text: "両辺に同じ数をたすからです。",
  sent_at: "2026-11-21T05:00:00Z",
  lesson: 201010101,
  at: 185,
  pictures: [],
};
export const thread: TeacherQuestionThread = { question: answered, messages: [asked, reply] };
export const pageOf = <Row,>(results: Row[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** Opens the screens for a signed-in learner at an address. */
export async function open(address: string, answers: Answers) {
  const all: Answers = {
    "GET desk/question/allowance/": () => allowance,
    "GET lms/lesson/201010101/": () => lessonOf({ name: "正の数と負の数" }),
    ...answers,
  };
  const { calls, queries } = signInAt(address, all);
  const tokens = { access_token: "t", refresh_token: "r", access_expires_at: Date.now() + 60_000 };
  localStorage.setItem("konomana.tokens", JSON.stringify(tokens));
  const router = createMemoryRouter(
    [
      { path: "/mypage/question", Component: TeacherQuestionsScreen },
      { path: "/mypage/question/new", Component: AskTeacherScreen },
      { path: "/mypage/question/lesson/:id", Component: LessonQuestionsScreen },
      { path: "/mypage/question/:thread", Component: TeacherQuestionScreen },
    ],
    { initialEntries: [address] },
  );
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { screen, calls, router };
}
