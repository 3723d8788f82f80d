/**
 * Fixtures for the tests of the catalogue's screens: a course, a stub of the API, and a function
 * that opens a screen.
 */
import { visitorCart } from "@konomana/cart";
import { connectApi } from "@konomana/http";
import { toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import { learner } from "@konomana/testing";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Course, Teacher } from "./api";
import { screens } from "./catalogScreens";
import { snapshotSource } from "./catalogSnapshot";
import { type CatalogueSource, catalogueSource, newest } from "./data/catalogueSource";
import { facetsOf } from "./data/courseData";
import { isWhole } from "./data/isWhole";

/** A course of one chapter, one unit and two lessons. */
export const course: Course = {
  id: 101,
  name: "中1英語 be動詞から一般動詞へ",
  category: "英語",
  school_year: "中1",
  level: "基礎",
  description: "はじめの段落。\n\nつぎの段落。",
  summary: "自分や友だちのことを英語で言えるようになります。",
  duration_sum: 957,
  lesson_count: 2,
  orientation: null,
  sample_video: null,
  thumbnail: null,
  textbook_bundle: null,
  whiteboard_bundle: null,
  teacher: { id: 1, name: "佐倉みのり" },
  created: "2025-03-10T00:00:00Z",
  modified: "2025-03-10T00:00:00Z",
  product: { id: 1101, price: 13_200, period_days: 365, sale_ends_at: null },
  course_chapter: [
    {
      id: 10101,
      name: "be動詞の文",
      units: [
        {
          id: 1010101,
          name: "「わたしは〜です」と言う",
          lessons: [
            {
              id: 1,
              name: "英語の文は「だれが」から始まる",
              summary: "語順のちがい",
              duration: 451,
            },
            { id: 2, name: "I am と You are", summary: "自分のことを言う", duration: 506 },
          ],
        },
      ],
    },
  ],
};

/** The teacher of the course. */
export const teacher: Teacher = {
  id: 1,
  name: "佐倉みのり",
  kana: "サクラ ミノリ",
  subjects: ["英語"],
  message: "声に出すところから、いっしょに始めましょう。",
  career: "公立中学校の英語科で教えました。",
  courses: [course],
};

/** Empty data of the desk service. */
export const told = { notices: [], success: [], entryExams: [], exams: [] };

/** A page of a list, with all results on it. */
export const list = (results: unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** Answers of the API by path. */
export let answers: Record<string, unknown>;
/** Method and path of the calls that change something. */
export let changes: string[];

/** Opens a screen of the catalogue with the data of a build. */
export async function open(path: string, source: Partial<CatalogueSource> = {}) {
  const own = screens.map(toRoute);
  const router = createMemoryRouter([...own, { path: "*", element: <h1>よそのページ</h1> }], {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      // The build's data needs no call; a filtered list comes from the API.
      const built = snapshotSource({ courses: [course], teachers: [teacher] }, told);
      context.set(catalogueSource, {
        ...built,
        list: (filters, signal) => (isWhole(filters) ? built : newest).list(filters, signal),
        ...source,
      });
      return context;
    },
  });
  const screen = await render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <Alerts />
      <main>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { ...screen, router };
}

export function signIn() {
  const session = { token: async () => "token", renew: async () => "token", lost: () => {} };
  connectApi({ session });
  sessionStore.signIn(learner);
}

/** Gives each test a new stub server and no user. */
export function beginAnewEachTime(): void {
  beforeEach(async () => {
    await page.viewport(1280, 800);
    answers = {
      "/api/lms/inventory/": list([]),
      "/api/lms/bookmark/": list([]),
      "/api/commerce/cart/": { lines: [], total: 0, open_order: null, learners: [] },
      "/api/commerce/product/": list([]),
      "/api/lms/course/": { ...list([course]), facets: facetsOf([course]) },
      "/api/lms/course/101/": course,
      "/api/lms/teacher/": list([teacher]),
      "/api/lms/teacher/1/": teacher,
      "/api/desk/success/voice/": list([]),
      "/api/search/": {
        ...list([]),
        counts: { course: 0, lesson: 0, teacher: 0, notice: 0, faq: 0 },
      },
    };
    changes = [];
    vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
      const { pathname } = new URL(input, location.origin);
      if (init?.method !== undefined && init.method !== "GET") {
        changes.push(`${init.method} ${pathname}`);
        return new Response(null, { status: 204 });
      }
      return pathname in answers
        ? Response.json(answers[pathname])
        : Response.json({ windows: [] });
    });
  });

  afterEach(() => {
    visitorCart.forget(visitorCart.get());
    sessionStore.reset();
    vi.unstubAllGlobals();
  });
}
