/**
 * Fixtures for the tests of my page: a learner with courses, and a stub server with adjustable
 * answers.
 */
import { learner, stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import type { InventoryItem, InventoryList, Mark } from "@konomana/learner";
import type { LectureLesson, Note, RecentLesson } from "../api";
import type { User } from "@konomana/session";
import { toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import { closeMessage, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import {
  createMemoryRouter,
  Outlet,
  type RouteObject,
  RouterProvider,
  useLocation,
} from "react-router";
import { onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { screens } from "../learningScreens";

type Answer = (query: URLSearchParams, body: unknown) => unknown;
/**
 * Answers by method and path below `/api/lms/`: a value is sent as JSON, a response as it is. Any
 * other call is a 404.
 */
export type Answers = Record<string, Answer>;

/** The time in a number of days from now. */
export const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const lessons = ["主語を見つける", "動詞を見つける", "疑問文", "否定文"].map((name, index) => ({
  id: 11 + index,
  name,
  summary: `${name}ことができるようになります。`,
  duration: 451,
}));

/** An item with a course of four lessons, 11 to 14. */
export function itemOf(given: Partial<InventoryItem> = {}): InventoryItem {
  return {
    id: 1,
    created: "2026-11-01T00:00:00Z",
    modified: "2026-11-01T00:00:00Z",
    expire_at: inDays(200),
    is_expired: false,
    is_auto_renewal: false,
    is_new: false,
    product_id: 1101,
    user: learner.id,
    check_count: 0,
    completed_at: null,
    ...given,
    course: {
      id: 101,
      name: "中1英語 be動詞",
      category: "英語",
      school_year: "中1",
      level: "基礎",
      teacher: { id: 1, name: "佐倉みのり" },
      summary: "be動詞を使い分けます。",
      description: "",
      duration_sum: 1804,
      lesson_count: 4,
      orientation: null,
      sample_video: null,
      thumbnail: null,
      textbook_bundle: null,
      whiteboard_bundle: null,
      created: "2025-03-10T00:00:00Z",
      modified: "2025-03-10T00:00:00Z",
      course_chapter: [{ id: 1, name: "be動詞の文", units: [{ id: 1, name: "文の形", lessons }] }],
      ...given.course,
    },
  };
}

export function listOf<Row>(...results: Row[]) {
  return { count: results.length, next: null, previous: null, results };
}

export function inventoryOf(...results: InventoryItem[]): InventoryList {
  return { ...listOf(...results), current_page: 1, max_page: 1, complete_count: 0 };
}

/** A watched lesson of that course, by default left at 5:12 of 7:31. */
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

/** The lesson 12 as its page shows it. */
export function lessonOf(given: Partial<LectureLesson> = {}): LectureLesson {
  return {
    id: 12,
    name: "動詞を見つける",
    summary: "動詞を見つけることができるようになります。",
    duration: 451,
    course: { id: 101, name: "中1英語 be動詞" },
    chapter: { id: 1, name: "be動詞の文" },
    unit: { id: 1, name: "文の形" },
    inventory_id: 1,
    product_id: 1101,
    number: 2,
    lesson_count: 4,
    previous: { id: 11, name: "主語を見つける", duration: 451 },
    next: { id: 13, name: "疑問文", duration: 451 },
    is_expired: false,
    expire_at: null,
    is_favorite: false,
    is_check: false,
    watch: {
      position: 312,
      furthest: 312,
      covered: 300,
      times: 1,
      last_seen: "2026-11-20T09:00:00Z",
    },
    marks: [{ at: 95, name: "動詞の見分け方" }],
    handouts: [{ kind: "textbook", page_count: 4, pages: [] }],
    has_video: true,
    question_count: 0,
    ...given,
  };
}

/** The server's default answers, for a learner who has done nothing yet. */
const usual: Answers = {
  "GET inventory/": () => inventoryOf(itemOf()),
  "GET recent/": () => listOf(),
  "GET week/": () => ({
    days: Array.from({ length: 7 }, (_, day) => ({ date: `2026-11-${15 + day}`, seconds: 0 })),
    streak: 0,
    today: "2026-11-21",
  }),
  "GET review/": () => listOf(),
  "GET exam-review/": () => listOf(),
  "GET favorite/": () => listOf(),
  "GET check/": () => listOf(),
  "GET bookmark/": () => listOf(),
  "GET note/": () => listOf(),
};

const ownRoutes = (): RouteObject[] =>
  screens
    .filter(({ pattern }) => pattern.startsWith("/mypage"))
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
  answers?: Answers;
  /** Null for a visitor. */
  user?: User | null;
}

/** Opens a path of my page. `calls` has the received calls with their query. */
export async function open(path: string, { answers = {}, user = learner }: Opening = {}) {
  const calls: string[] = [];
  const known = { ...usual, ...answers };
  stubServer(({ method, path: below, search, query, body }) => {
    const call = `${method} ${below.replace("lms/", "")}`;
    calls.push(call + search);
    return known[call]?.(query, body);
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

/**
 * Violations that axe finds at the narrowest and at the widest width, and whether the page
 * overflows sideways.
 */
export async function faults(container: Element): Promise<string[]> {
  const found: string[] = [];
  for (const width of [320, 1264]) {
    await page.viewport(width, 800);
    const { violations } = await axe.run(container);
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
    if (document.documentElement.scrollWidth > width) found.push(`wider than ${width} px`);
  }
  return found;
}
