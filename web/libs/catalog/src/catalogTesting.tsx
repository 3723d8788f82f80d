/**
 * Fixtures for the tests of the catalogue's screens: a course, a stub of the API, and a function
 * that opens a screen.
 */
import { visitorCart } from "@konomana/cart";
import { cartOf } from "@konomana/cart/testing";
import { connectApi } from "@konomana/http";
import { toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import {
  answerFrom,
  type Answers,
  done,
  inventoryOf,
  learner,
  listOf,
  stubServer,
} from "@konomana/testing";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach } from "vitest";
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

export let answers: Answers;
/** Method and path below `/api/` of the calls that change something. */
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
      // Sets the cookie that a call needs to change something.
      "GET maintenance/": () => ({ windows: [] }),
      "GET lms/inventory/": () => inventoryOf(),
      "GET lms/bookmark/": () => listOf(),
      "PUT lms/bookmark/101/": () => done(),
      "GET commerce/cart/": () => cartOf(),
      "POST commerce/cart/line/": () => cartOf(),
      "GET commerce/product/": () => listOf(),
      "GET lms/course/": () => ({ ...listOf(course), facets: facetsOf([course]) }),
      "GET lms/course/101/": () => course,
      "GET lms/teacher/": () => listOf(teacher),
      "GET lms/teacher/1/": () => teacher,
      "GET desk/success/voice/": () => ({ results: [] }),
      "GET search/": () => ({
        ...listOf(),
        counts: { course: 0, lesson: 0, teacher: 0, notice: 0, faq: 0 },
      }),
    };
    changes = [];
    stubServer((call) => {
      if (call.method !== "GET") changes.push(`${call.method} ${call.path}`);
      return answerFrom(answers, call);
    });
  });

  afterEach(() => {
    visitorCart.forget(visitorCart.get());
    sessionStore.reset();
  });
}
