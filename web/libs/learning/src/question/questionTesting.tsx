/**
 * Fixtures for the tests of questions and results: a lesson with four questions, and a stub server
 * with adjustable answers.
 */
import { answerFrom, type Answers, stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import type { LectureLesson, LessonQuestions, Outcome, Question, Result } from "../api";
import { type ScreenHandle, toRoute } from "@konomana/screens";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import {
  createMemoryRouter,
  Outlet,
  type RouteObject,
  RouterProvider,
  useLocation,
  useMatches,
} from "react-router";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { screens } from "../learningScreens";

const lesson = { id: 7, name: "二次方程式の解き方" };
const course = { id: 101, name: "中3数学 二次方程式と関数" };

const asked: Omit<Question, "id" | "number" | "kind" | "prompt"> = {
  of: 4,
  lesson,
  course,
  picture: null,
  choices: [],
  hint: null,
  is_required: true,
  previous: null,
  next: null,
  graded: null,
};

/** One question of each kind. */
export const single: Question = {
  ...asked,
  id: 71,
  number: 1,
  kind: "single",
  prompt: "$x^2=9$ の解はどれですか。",
  choices: [
    { id: 1, text: "$x=3$ だけ" },
    { id: 2, text: "$x=\\pm 3$" },
    { id: 3, text: "解はない" },
  ],
  hint: "負の数も2乗すると正になります。",
  next: 72,
};

export const multiple: Question = {
  ...asked,
  id: 72,
  number: 2,
  kind: "multiple",
  prompt: "二次方程式をすべて選びましょう。",
  choices: [
    { id: 1, text: "ア" },
    { id: 2, text: "イ" },
    { id: 3, text: "ウ" },
  ],
  previous: 71,
  next: 73,
};

export const number: Question = {
  ...asked,
  id: 73,
  number: 3,
  kind: "number",
  prompt: "$2x=1$ を解きましょう。",
  previous: 72,
  next: 74,
};

export const text: Question = {
  ...asked,
  id: 74,
  number: 4,
  kind: "text",
  prompt: "解の公式の根号の中を何といいますか。",
  previous: 73,
};

export const all = [single, multiple, number, text];

/** The server's outcome of an answer. */
export function outcome(parts: Partial<Outcome>): Outcome {
  return {
    is_right: true,
    given: { choices: [2] },
    key: { choices: [2] },
    explanation: "$(-3)^2$ も9です。",
    watch_again_at: 95,
    result: { id: 12, answered: 1, of: 4, is_finished: false },
    ...parts,
  };
}

/** Answers with an outcome. */
export const says = (parts: Partial<Outcome>) => () => outcome(parts);

const lecture: LectureLesson = {
  ...lesson,
  summary: "平方根の考えで解きます。",
  duration: 451,
  course,
  chapter: { id: 1, name: "二次方程式" },
  unit: { id: 1, name: "解き方" },
  inventory_id: 5,
  product_id: 9,
  number: 1,
  lesson_count: 18,
  previous: null,
  next: { id: 8, name: "解の公式", duration: 400 },
  is_expired: false,
  expire_at: null,
  is_favorite: false,
  is_check: false,
  watch: null,
  marks: [{ at: 95, name: "平方根の考え" }],
  handouts: [],
  has_video: true,
  question_count: 4,
};

const list: LessonQuestions = {
  count: all.length,
  results: all.map(({ id, number: place, kind, prompt, picture, choices, is_required }) => ({
    id,
    number: place,
    kind,
    prompt,
    picture,
    choices,
    is_required,
    graded: null,
  })),
  result: null,
};

/** A finished graded round: the first answer is right, the second wrong. */
export const round: Result = {
  id: 12,
  kind: "graded",
  lesson,
  course,
  subject: "数学",
  question_count: 2,
  answered_count: 2,
  right_count: 1,
  started_at: "2026-11-20T09:00:00Z",
  finished_at: "2026-11-20T09:10:00Z",
  answers: [
    {
      question: single,
      given: { choices: [2] },
      is_right: true,
      key: { choices: [2] },
      explanation: "$(-3)^2$ も9です。",
      watch_again_at: null,
    },
    {
      question: number,
      given: { number: "2" },
      is_right: false,
      key: { number: "1/2" },
      explanation: "両辺を2で割ります。",
      watch_again_at: 95,
    },
  ],
};

/** The server's default answers. */
const usual: Answers = {
  "GET lms/question/71/": () => single,
  "GET lms/question/72/": () => multiple,
  "GET lms/question/73/": () => number,
  "GET lms/question/74/": () => text,
  "GET lms/lesson/7/": () => lecture,
  "GET lms/lesson/7/question/": () => list,
  "GET lms/result/12/": () => round,
};

const ownRoutes = (): RouteObject[] =>
  screens
    .filter(({ pattern }) => /question|result/.test(pattern))
    .map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null }));

function Place() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

/** The parts of the site's layout that these tests need. */
function Frame() {
  const { Beside } = (useMatches().at(-1)?.handle ?? {}) as Partial<ScreenHandle>;
  return (
    <>
      <main style={{ padding: "0 var(--kn-gutter)" }}>
        <Outlet />
      </main>
      <aside aria-label="レッスンの資料">{Beside && <Beside />}</aside>
      <Place />
    </>
  );
}

/**
 * Opens a path as a signed-in learner. `sent` has the calls that change something, with their
 * bodies.
 */
export async function open(path: string, answers: Answers = {}) {
  const calls: { call: string; search: string; body: unknown }[] = [];
  const known = { ...usual, ...answers };
  stubServer((call) => {
    const { method, path: below, search, body } = call;
    calls.push({ call: `${method} ${below}`, search, body });
    return answerFrom(known, call);
  });
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          ...ownRoutes(),
          { path: "/lecture/:id", element: <h1>レッスン</h1> },
          { path: "/mypage/course", element: <h1>所有講座</h1> },
          { path: "/course/:id", element: <h1>講座</h1> },
        ],
      },
    ],
    { initialEntries: [path] },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const sent = () => calls.filter(({ call }) => call.startsWith("POST"));
  return {
    screen,
    calls,
    sent,
    press: (name: string) => screen.getByRole("button", { name }).click(),
  };
}

/** Violations that axe finds on a narrow screen, and whether the page overflows sideways. */
export async function faultsOnAPhone(container: Element): Promise<string[]> {
  await page.viewport(320, 640);
  const { violations } = await axe.run(container);
  const wide = document.documentElement.scrollWidth > 320;
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)),
    ...(wide ? ["wider than 320 px"] : []),
  ];
}
