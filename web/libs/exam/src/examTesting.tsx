/** Test support for the screens: exams with applications, a user, and a stub server. */
import { examSource, type ExamCard, type ListedCheck } from "@konomana/exam-card";
import { examOf } from "@konomana/exam-card/testing";
import { connectApi } from "@konomana/http";
import { toRoute } from "@konomana/screens";
import { sessionStore, type User } from "@konomana/session";
import { answerFrom, type Answers, learner, stubServer } from "@konomana/testing";
import { Alerts, alertStore } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import {
  createMemoryRouter,
  type RouteObject,
  RouterContextProvider,
  useLocation,
} from "react-router";
import { RouterProvider } from "react-router/dom";
import { onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { BasicInfo, Check, CheckResult, DesiredSchool, Exam, School, Sheet } from "./api";
import { screens } from "./examScreens";

export const basicInfo: BasicInfo = {
  last_name: "木下",
  first_name: "葵",
  last_kana: "キノシタ",
  first_kana: "アオイ",
  school_year: "中3",
  school_name: "コノマナ中学校",
  prefecture: "東京都",
};

/** An account's address of which only the prefecture is filled in. */
export const addressIn = (prefecture: string) => ({
  postal_code: "",
  prefecture,
  city: "",
  town: "",
  building: "",
  phone: "",
});

export function schoolOf(id: number, given: Partial<School> = {}): School {
  return {
    id,
    name: `第${id}高校`,
    kana: "ダイコウコウ",
    prefecture: "東京都",
    departments: [
      { id: id * 10, name: "普通科" },
      { id: id * 10 + 1, name: "理数科" },
    ],
    counts_school_marks: false,
    ...given,
  };
}

export function desiredOf(
  rank: number,
  id: number,
  given: Partial<DesiredSchool> = {},
): DesiredSchool {
  const school = schoolOf(id);
  return {
    rank,
    school,
    department: { id: id * 10, name: "普通科" },
    school_marks: null,
    ...given,
  };
}

const papers = [
  { id: 11, subject: "英語", minutes: 50, question_count: 18, points: 100 },
  { id: 12, subject: "数学", minutes: 50, question_count: 16, points: 100 },
];

export function detailOf(given: Partial<ExamCard> = {}): Exam {
  return { ...examOf(given), description: "中学の範囲から出題します。", papers };
}

/** The sheet of a learner with a seat in exam 1, with no step filled in. */
export function sheetOf(
  given: Partial<Omit<Sheet, "exam">> & { exam?: Partial<ExamCard> } = {},
): Sheet {
  return {
    state: "mine",
    has_seat: true,
    stage: "basic_info",
    basic_info: null,
    candidate_number: null,
    desired_schools: [],
    device_checks: [],
    time_percent: 100,
    papers: papers.map(({ id, subject, minutes }) => ({
      paper_id: id,
      subject,
      minutes,
      state: "not_started",
      sitting_id: null,
      handed_in_at: null,
    })),
    ...given,
    exam: detailOf(given.exam),
  };
}

export const listedCheck: ListedCheck = {
  id: 3,
  school_year: "中1",
  subject: "数学",
  title: "正負の数と文字式",
  question_count: 3,
};

/** A check of three questions: single choice, multiple choice, number. */
export const check: Check = {
  ...listedCheck,
  questions: [
    {
      id: 301,
      number: 1,
      kind: "single",
      prompt: "最も大きい数はどれですか。",
      figures: [],
      choices: [
        { id: 1, text: "-3" },
        { id: 2, text: "2" },
      ],
      points: 1,
      character_limit: null,
      takes_picture: false,
    },
    {
      id: 302,
      number: 2,
      kind: "multiple",
      prompt: "負の数をすべて選んでください。",
      figures: [],
      choices: [
        { id: 1, text: "-1" },
        { id: 2, text: "0" },
        { id: 3, text: "-5" },
      ],
      points: 1,
      character_limit: null,
      takes_picture: false,
    },
    {
      id: 303,
      number: 3,
      kind: "number",
      prompt: "2+3はいくつですか。",
      figures: [],
      choices: [],
      points: 1,
      character_limit: null,
      takes_picture: false,
    },
  ],
};

/** The result of that check: the first question is right, the second wrong, the third skipped. */
export const checkResult: CheckResult = {
  score: 1,
  question_count: 3,
  questions: [
    {
      question_id: 301,
      is_right: true,
      answer: { choices: [2] },
      key: { choices: [2] },
      explanation: "数直線で右にあるほど大きい数です。",
    },
    {
      question_id: 302,
      is_right: false,
      answer: { choices: [1, 2] },
      key: { choices: [1, 3] },
      explanation: "0は負の数ではありません。",
    },
    {
      question_id: 303,
      is_right: false,
      answer: null,
      key: { number: "5" },
      explanation: "2に3をたします。",
    },
  ],
  courses: [{ id: 102, name: "中1数学 正負の数と文字式" }],
  exam: examOf(),
};

interface Options {
  /** Any other call answers 404. */
  answers?: Answers;
  /** `null` for a visitor. */
  user?: User | null;
  checks?: readonly ListedCheck[];
}

/** Stub of a route of another library. It renders the current address. */
function Elsewhere() {
  const { pathname, search } = useLocation();
  return <h1>{`ほかの画面 ${pathname}${search}`}</h1>;
}

const ownRoutes = (): RouteObject[] => [
  ...screens.map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null })),
  { path: "*", Component: Elsewhere },
];

/** Opens a path for a user. `calls` lists the received calls with their bodies. */
export async function open(path: string, { answers = {}, user = learner, checks }: Options = {}) {
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  const calls: { call: string; body: unknown }[] = [];
  stubServer((request) => {
    const call = `${request.method} ${request.path}`;
    calls.push({ call: call + decodeURIComponent(request.search), body: request.body });
    return answerFrom(answers, request);
  });
  if (user !== null) sessionStore.signIn(user);
  const router = createMemoryRouter(ownRoutes(), {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(examSource, {
        exams: async () => [examOf()],
        checks: async () => checks ?? [listedCheck],
      });
      return context;
    },
  });
  onTestFinished(() => {
    sessionStore.reset();
    alertStore.set(alertStore.initial);
  });
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  const address = () => router.state.location.pathname + router.state.location.search;
  const changes = () => calls.filter(({ call }) => !call.startsWith("GET"));
  return { screen, calls, changes, router, address };
}

/** A server that can't be reached. */
export function offline(): never {
  throw new TypeError("Failed to fetch");
}

/** Accessibility faults that axe finds at phone width, and whether the page scrolls sideways. */
export async function faultsOnAPhone(container: Element): Promise<string[]> {
  await page.viewport(320, 640);
  const { violations } = await axe.run(container);
  const wide = document.documentElement.scrollWidth > 320;
  return [...violations.map(({ id }) => id), ...(wide ? ["wider than 320 px"] : [])];
}
