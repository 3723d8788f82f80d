/**
 * Fixtures for the tests of my page: a learner with courses, and a stub server with adjustable
 * answers.
 */
import { classWeekOf } from "@konomana/class/testing";
import { noInterviews } from "@konomana/interview/testing";
import {
  answerFrom,
  type Answers,
  inventoryOf,
  itemOf,
  learner,
  lessons,
  listOf,
  stubServer,
} from "@konomana/testing";
import { connectApi } from "@konomana/http";
import type { Mark } from "@konomana/learner";
import type { Note, RecentLesson } from "../api";
import type { PlannedHomework, PlannedLesson, StudyPlan } from "../plan/studyPlanCalls";
import type { User } from "@konomana/session";
import { toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import { closeMessage, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryRouter,
  Outlet,
  type RouteObject,
  RouterProvider,
  useLocation,
} from "react-router";
import { onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";
import { screens } from "../learningScreens";

/** A watched lesson of the course in `itemOf`, by default left at 5:12 of 7:31. */
export function recentOf(id: number, given: Partial<RecentLesson> = {}): RecentLesson {
  return {
    lesson: { id, name: lessons.find((lesson) => lesson.id === id)?.name ?? "", duration: 451 },
    course: { id: 101, name: "中1英語 be動詞" },
    position: 312,
    covered: 300,
    is_check: false,
    is_expired: false,
    last_seen: "2026-11-20T09:00:00Z",
    ...given,
  };
}

export function markOf(id: number): Mark {
  const course = { id: 101, name: "中1英語 be動詞" };
  return {
    created: "2026-11-20T09:00:00Z",
    lesson: {
      id,
      name: lessons.find((lesson) => lesson.id === id)?.name ?? "",
      duration: 451,
      unit: { id: 1, name: "文の形", chapter: { id: 1, name: "be動詞の文", course } },
    },
  } as Mark;
}

export function noteOf(id: string, text: string, at = 65): Note {
  return {
    id,
    lesson: { id: 11, name: "主語を見つける" },
    course: { id: 101, name: "中1英語 be動詞" },
    at,
    text,
    created: "2026-11-20T09:00:00Z",
    modified: "2026-11-20T09:00:00Z",
  };
}

/** A lesson of the plan, by default of 7:31 that was not watched yet. */
export function plannedOf(id: number, given: Partial<PlannedLesson> = {}): PlannedLesson {
  return {
    id,
    name: lessons.find((lesson) => lesson.id === id)?.name ?? "",
    course: { id: 101, name: "中1英語 be動詞" },
    duration: 451,
    seconds_left: 451,
    is_done: false,
    homework_due_date: null,
    ...given,
  };
}

/** A plan of 14 days from 21 November. `days` and `homework` have the first of them. */
export function planOf({
  days = [],
  homework = [],
  ...given
}: Partial<Omit<StudyPlan, "days">> & {
  days?: PlannedLesson[][];
  homework?: PlannedHomework[][];
}): StudyPlan {
  const dates = Array.from({ length: 14 }, (_, day) =>
    new Date(Date.UTC(2026, 10, 21 + day)).toISOString().slice(0, 10),
  );
  return {
    minutes: 15,
    watched_seconds: 0,
    days: dates.map((date, day) => ({
      date,
      lessons: days[day] ?? [],
      homework: homework[day] ?? [],
    })),
    later_count: 0,
    shortfalls: [],
    enough_minutes: null,
    ...given,
  };
}

/** The server's default answers, for a learner who has done nothing yet. */
const usual: Answers = {
  "GET lms/inventory/": () => inventoryOf(itemOf()),
  "GET lms/recent/": () => listOf(),
  "GET lms/week/": () => ({
    days: Array.from({ length: 7 }, (_, day) => ({ date: `2026-11-${15 + day}`, seconds: 0 })),
    streak: 0,
    today: "2026-11-21",
  }),
  "GET lms/review/": () => listOf(),
  "GET lms/exam-review/": () => listOf(),
  "GET lms/favorite/": () => listOf(),
  "GET lms/check/": () => listOf(),
  "GET lms/bookmark/": () => listOf(),
  "GET lms/note/": () => listOf(),
  "GET lms/study-plan/": () => planOf({}),
  "GET lms/class/": () => classWeekOf(),
  "GET desk/interview/": () => noInterviews,
  "GET desk/event/": () => ({ results: [] }),
  "GET desk/notice/mine/unread/": () => ({ unread: 0 }),
  "GET exam/application/": () => ({ results: [] }),
  "GET lms/course/101/certificate/": () => ({
    progress: {
      lesson_count: 3,
      missing_lesson_count: 3,
      question_count: 10,
      right_count: 0,
      needed_right_count: 7,
      is_earned: false,
    },
    certificate: null,
  }),
};

const ownRoutes = (): RouteObject[] =>
  screens
    .filter(({ pattern }) => /^\/(?:mypage|certificate)/.test(pattern))
    .map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null }));

function Frame() {
  const { pathname, search, hash } = useLocation();
  return (
    <>
      <main style={{ paddingInline: "var(--kn-gutter)" }}>
        <Outlet />
      </main>
      <output aria-label="address">{pathname + search + hash}</output>
    </>
  );
}

interface Opening {
  /** Any other call is a 404. */
  answers?: Answers;
  /** Null for a visitor. */
  user?: User | null;
}

/** Opens a path of my page. `calls` has the received calls with their query. */
export async function open(path: string, { answers = {}, user = learner }: Opening = {}) {
  const calls: string[] = [];
  const known = { ...usual, ...answers };
  stubServer((call) => {
    calls.push(`${call.method} ${call.path}${call.search}`);
    return answerFrom(known, call);
  });
  if (user) sessionStore.signIn(user);
  onTestFinished(() => {
    vi.unstubAllGlobals();
    sessionStore.reset();
    closeMessage();
  });
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [...ownRoutes(), { path: "*", element: <h1>ほかのページ</h1> }],
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
  return { screen, calls };
}
