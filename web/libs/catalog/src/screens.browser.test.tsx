import { connectApi, type Course } from "@konomana/api";
import { sessionStore } from "@konomana/session";
import { UiProvider } from "@konomana/ui";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, type RouteObject, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { catalogueSource } from "./data/source";
import { routes } from "./routes";
import { snapshotSource } from "./snapshot";

const course: Course = {
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

const list = (results: unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** Answers of the API by the end of the path; calls that change something are noted. */
let answers: Record<string, unknown>;
let changes: string[];

async function open(path: string) {
  // A router crosses off what it has loaded, so each has its copy.
  const own = routes.map((route) => ({ ...route, lazy: { ...route.lazy } })) as RouteObject[];
  const router = createMemoryRouter(own, {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(catalogueSource, snapshotSource({ courses: [course] }));
      return context;
    },
  });
  return render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <UiProvider>
        <main>
          <RouterProvider router={router} />
        </main>
      </UiProvider>
    </QueryClientProvider>,
  );
}

function signIn() {
  const session = { token: async () => "token", renew: async () => "token", lost: () => {} };
  connectApi({ session });
  sessionStore.signIn({
    id: "018f0000-0000-7000-8000-000000000001",
    email: "adult@demo.example",
    last_name: "木下",
    first_name: "葵",
    last_name_kana: "キノシタ",
    first_name_kana: "アオイ",
    birth_date: null,
    school_year: null,
    scope: ["learner"],
    created: "2025-03-10T00:00:00Z",
    school_name: "",
    guardian_consent: "not_needed",
    erase_at: null,
    news: false,
  });
}

beforeEach(() => {
  answers = { "/api/lms/inventory/": list([]), "/api/lms/bookmark/": list([]) };
  changes = [];
  vi.stubGlobal("fetch", async (input: string, init?: RequestInit) => {
    const { pathname } = new URL(input, location.origin);
    if (init?.method !== undefined && init.method !== "GET") {
      changes.push(`${init.method} ${pathname}`);
      return new Response(null, { status: 204 });
    }
    return pathname in answers ? Response.json(answers[pathname]) : Response.json({ windows: [] });
  });
});

afterEach(() => {
  sessionStore.reset();
  vi.unstubAllGlobals();
});

test.each(["/", "/course", "/course/101"])("%s has one h1 and no fault", async (path) => {
  const { container } = await open(path);
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  const { violations } = await axe.run(container, { resultTypes: ["violations"] });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("the front page leads to the courses by school year and subject", async () => {
  await open("/");
  await expect
    .element(page.getByRole("link", { name: "中1 英語 1講座" }))
    .toHaveAttribute(
      "href",
      `/course?${new URLSearchParams({ school_year: "中1", category: "英語" })}`,
    );
});

test("the list keeps its filter in the address and says what it shows", async () => {
  await open("/course?school_year=中1&category=英語");
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("中1 英語の講座");
  await expect
    .element(page.getByRole("link", { name: "中1", exact: true }))
    .toHaveAttribute("aria-current", "true");
  await page.getByRole("link", { name: "数学" }).click();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveTextContent("中1 数学の講座");
});

test("a course shows its outline down to the lessons with their lengths, and its teacher", async () => {
  await open("/course/101");
  await expect.element(page.getByText("第1章")).toBeVisible();
  await expect.element(page.getByText("I am と You are")).toBeVisible();
  await expect.element(page.getByText("8分26秒")).toBeVisible();
  await expect.element(page.getByText("佐倉みのり 先生")).toBeVisible();
});

test("a visitor is told how to go on with a course they have", async () => {
  await open("/course/101");
  await expect.element(page.getByRole("link", { name: "ログイン" })).toBeVisible();
});

test("持っています is shown when the course is owned, with the way to it", async () => {
  signIn();
  answers["/api/lms/inventory/"] = list([
    { id: 7, course, is_expired: false, expire_at: "2027-01-31T14:59:59Z" },
  ]);
  await open("/course/101");
  await expect.element(page.getByText("持っています")).toBeVisible();
  await expect.element(page.getByText("2027年1月31日(日)まで")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "学習を続ける" }))
    .toHaveAttribute("href", "/mypage/learnning/7");
});

test("an expired course is marked 期限切れ", async () => {
  signIn();
  answers["/api/lms/inventory/"] = list([
    { id: 7, course, is_expired: true, expire_at: "2026-01-31T14:59:59Z" },
  ]);
  await open("/course/101");
  await expect.element(page.getByText("期限切れ")).toBeVisible();
});

test("a course that is not owned can be put aside for later", async () => {
  signIn();
  await open("/course/101");
  const later = page.getByRole("button", { name: "あとで見る" });
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
  answers["/api/lms/bookmark/"] = list([{ course, is_check: false, created: course.created }]);
  await later.click();
  await expect
    .element(page.getByRole("button", { name: "「あとで見る」に入っています" }))
    .toHaveAttribute("aria-pressed", "true");
  expect(changes).toEqual(["PUT /api/lms/bookmark/101/"]);
});
