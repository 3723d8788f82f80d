import { connectApi } from "@konomana/http";
import type { Course, Teacher } from "./api";
import { toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import { laterAfterSignUp } from "@konomana/visitor";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { facetsOf } from "./data/courseData";
import { isWhole } from "./data/isWhole";
import { type CatalogueSource, catalogueSource, newest } from "./data/catalogueSource";
import { screens } from "./catalogScreens";
import { snapshotSource } from "./catalogSnapshot";

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

const teacher: Teacher = {
  id: 1,
  name: "佐倉みのり",
  kana: "サクラ ミノリ",
  subjects: ["英語"],
  message: "声に出すところから、いっしょに始めましょう。",
  career: "公立中学校の英語科で教えました。",
  courses: [course],
};

const told = { notices: [], success: [], entryExams: [] };

const list = (results: unknown[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

/** Answers of the API by the end of the path; calls that change something are noted. */
let answers: Record<string, unknown>;
let changes: string[];

async function open(path: string, source: Partial<CatalogueSource> = {}) {
  const own = screens.map(toRoute);
  const router = createMemoryRouter([...own, { path: "*", element: <h1>よそのページ</h1> }], {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      // What the build knows is there at once; a narrowed list is the API's.
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
      <>
        <Alerts />
        <main>
          <RouterProvider router={router} />
        </main>
      </>
    </QueryClientProvider>,
  );
  return { ...screen, router };
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
    requested_birth_date: null,
    suspended_passkeys: 0,
    news: false,
  });
}

beforeEach(async () => {
  await page.viewport(1280, 800);
  answers = {
    "/api/lms/inventory/": list([]),
    "/api/lms/bookmark/": list([]),
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
    return pathname in answers ? Response.json(answers[pathname]) : Response.json({ windows: [] });
  });
});

afterEach(() => {
  sessionStore.reset();
  vi.unstubAllGlobals();
});

test.each(["/", "/course", "/course/101", "/teacher", "/teacher/1", "/search", "/search?q=英語"])(
  "%s has one h1 and no fault",
  async (path) => {
    const { container } = await open(path);
    await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
    const { violations } = await axe.run(container, { resultTypes: ["violations"] });
    expect(violations.map(({ id }) => id)).toEqual([]);
  },
);

test("the front page leads to the courses by school year and subject", async () => {
  await open("/");
  await expect
    .element(page.getByRole("link", { name: "中1 英語 1講座" }))
    .toHaveAttribute(
      "href",
      `/course?${new URLSearchParams({ school_year: "中1", category: "英語" })}`,
    );
});

test("the front page says what learning costs, and what is not open yet", async () => {
  await open("/");
  const costs = page.getByRole("region", { name: "料金は、講座ごとに1回だけ" });
  for (const words of ["買い切り", "365日", "月額なし", /^講座の購入、.*は準備中です。/])
    await expect.element(costs.getByText(words)).toBeVisible();
});

test("the front page offers a sample lesson, where a course has one", async () => {
  const sample = page.getByRole("link", { name: "登録なしで、見本のレッスンを見る" });
  const without = await open("/");
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(sample).not.toBeInTheDocument();
  await without.unmount();
  const sample_video = "/api/media/open/course/102/sample/master.m3u8";
  const courses = [course, { ...course, id: 102, sample_video }];
  const { home } = snapshotSource({ courses, teachers: [teacher] }, told);
  await open("/", { home });
  await expect.element(sample).toHaveAttribute("href", "/course/102#look");
});

test.each([
  ["within the hour", 59, 1, "1講座をすべて見る"],
  ["longer ago", 61, 2, "7講座をすべて見る"],
])("a front page made %s", async (_, minutes, loads, label) => {
  const as_of = Date.now() - minutes * 60_000;
  const home = vi.fn<CatalogueSource["home"]>();
  const built = await snapshotSource({ courses: [course], teachers: [teacher] }, told).home(
    new AbortController().signal,
  );
  home.mockResolvedValueOnce({ ...built, as_of }).mockResolvedValue({ ...built, count: 7 });
  await open("/", { home });
  await expect.element(page.getByRole("link", { name: label })).toBeVisible();
  expect(home).toHaveBeenCalledTimes(loads);
});

test("the list keeps its filters in the address, says what it shows, and 'back' undoes a choice", async () => {
  const { router } = await open("/course?school_year=中1&category=英語");
  const heading = page.getByRole("heading", { level: 1 });
  await expect.element(heading).toHaveTextContent("中1 英語の講座");
  await expect.element(page.getByRole("checkbox", { name: /^中1/ })).toBeChecked();
  await page.getByRole("checkbox", { name: /^数学/ }).click();
  await expect.element(page.getByRole("checkbox", { name: /^数学/ })).toBeChecked();
  expect(new URLSearchParams(router.state.location.search).getAll("category")).toEqual([
    "英語",
    "数学",
  ]);
  await router.navigate(-1);
  await expect.element(page.getByRole("checkbox", { name: /^数学/ })).not.toBeChecked();
  await expect.element(heading).toHaveTextContent("中1 英語の講座");
});

test("a box has its tick at once, not when the list has come", async () => {
  await open("/course?school_year=中1&category=英語");
  const box = page.getByRole("checkbox", { name: /^数学/ });
  await expect.element(box).not.toBeChecked();
  const element = box.element() as HTMLInputElement;
  element.click();
  expect(element.checked).toBe(true);
});

test("a chip takes its condition off; the focus goes to the number of courses", async () => {
  const { router } = await open("/course?school_year=中1&price_max=15000&q=be動詞&sort=price");
  await page.getByRole("link", { name: "15,000円以下を外す" }).click();
  await expect
    .element(page.getByRole("link", { name: "15,000円以下を外す" }))
    .not.toBeInTheDocument();
  await expect.element(page.getByText("1講座").first()).toHaveFocus();
  await page.getByRole("link", { name: "すべて外す" }).click();
  await expect.element(page.getByRole("list", { name: "いまの条件" })).not.toBeInTheDocument();
  // The condition is off the screen before the list has come.
  await expect.poll(() => router.state.location.search).toBe("?sort=price");
});

test("words, prices and the order are in the address too", async () => {
  const { router } = await open("/course");
  await page.getByRole("searchbox", { name: "言葉" }).fill("　be動詞 ");
  await page.getByRole("button", { name: "さがす" }).click();
  await expect.element(page.getByRole("link", { name: "「be動詞」を外す" })).toBeVisible();
  await page.getByRole("combobox", { name: "値段の上限" }).selectOptions("15,000円");
  await page.getByRole("combobox", { name: "並び順" }).selectOptions("値段の安い順");
  await expect
    .poll(() => Object.fromEntries(new URLSearchParams(router.state.location.search)))
    .toEqual({ q: "be動詞", price_max: "15000", sort: "price" });
});

test("on a phone the filters are folded until somebody asks for them", async () => {
  await page.viewport(360, 740);
  await open("/course?level=基礎");
  const choice = page.getByRole("checkbox", { name: /^中1/ });
  const toggle = page.getByRole("button", { name: "しぼりこみ（1）" });
  await expect.element(toggle).toHaveAttribute("aria-expanded", "false");
  await expect.element(choice).not.toBeInTheDocument();
  await toggle.click();
  await expect.element(choice).toBeVisible();
  await page.getByRole("button", { name: "1件の講座を見る" }).click();
  await expect.element(choice).not.toBeInTheDocument();
});

test("nothing found says what to try", async () => {
  answers["/api/lms/course/"] = {
    ...list([]),
    facets: { school_year: [], category: [], level: [] },
  };
  await open("/course?q=そんな言葉");
  await expect.element(page.getByText("あてはまる講座がありません")).toBeVisible();
});

test("a course shows its outline down to the lessons with their lengths, and its teacher", async () => {
  await open("/course/101");
  await expect.element(page.getByText("第1章")).toBeVisible();
  await expect.element(page.getByText("I am と You are")).toBeVisible();
  await expect.element(page.getByText("8分26秒")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "佐倉みのり 先生" })).toBeVisible();
  await expect.element(page.getByText(teacher.message)).toBeVisible();
});

test("a course says what it costs, with its tax, for how long, and that it can't be bought yet", async () => {
  await open("/course/101");
  const offer = page.getByRole("complementary", { name: "値段と申し込み" });
  await expect.element(offer.getByRole("paragraph").first()).toHaveTextContent("13,200円（税込）");
  for (const words of ["購入から365日間使えます", /ただいま準備中です/])
    await expect.element(offer.getByText(words)).toBeVisible();
  const signUp = offer.getByRole("link", { name: "無料登録して、あとで見るに入れる" });
  await expect.element(signUp).toHaveAttribute("href", "/signup?course=101");
  const state = offer.getByText(/ただいま準備中です/).element();
  expect(state.compareDocumentPosition(signUp.element())).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
});

test("a course that a visitor wanted is put aside once they come back signed up", async () => {
  laterAfterSignUp.keep(101);
  signIn();
  await open("/course/101");
  await expect.poll(() => changes).toEqual(["PUT /api/lms/bookmark/101/"]);
  await expect
    .element(page.getByRole("button", { name: "「あとで見る」に入っています" }))
    .toBeVisible();
});

test("a minor without consent is offered the link to a guardian", async () => {
  signIn();
  const { user } = sessionStore.get();
  if (user) sessionStore.signIn({ ...user, guardian_consent: "missing" });
  await open("/course/101");
  await expect
    .element(page.getByRole("link", { name: "保護者とつながる" }))
    .toHaveAttribute("href", "/mypage/settings/guardian");
});

test("chapters fold, all at once too, and an address that leads into one unfolds it", async () => {
  const { router } = await open("/course/101");
  const lesson = page.getByText("I am と You are");
  await expect.element(lesson).toBeVisible();
  await page.getByText("第1章").click();
  await expect.element(lesson).not.toBeVisible();
  await page.getByRole("button", { name: "すべて開く" }).click();
  await expect.element(lesson).toBeVisible();
  await page.getByRole("button", { name: "すべて閉じる" }).click();
  await expect.element(lesson).not.toBeVisible();
  await router.navigate("/course/101#lesson-2");
  await expect.element(lesson).toBeVisible();
});

test("those who learned with a course speak, with their names and schools", async () => {
  answers["/api/desk/success/voice/"] = {
    results: [
      {
        name: "M.S",
        school: "東都みどり高校",
        school_year: "中3",
        text: "短いので続きました。",
        course_ids: [101],
      },
    ],
  };
  await open("/course/101");
  await expect.element(page.getByText("短いので続きました。")).toBeVisible();
  await expect.element(page.getByText("東都みどり高校 合格")).toBeVisible();
  await expect
    .element(page.getByRole("region", { name: "この講座で学んだ人の声" }).getByText("見本"))
    .toBeVisible();
});

test("a teacher's page leads to their courses", async () => {
  await open("/teacher/1");
  await expect.element(page.getByText("公立中学校の英語科で教えました。")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: course.name }))
    .toHaveAttribute("href", "/course/101");
});

test("a visitor is told how to go on with a course they have", async () => {
  await open("/course/101");
  await expect.element(page.getByRole("link", { name: "ログイン" })).toBeVisible();
});

test("持っています is shown when the course is owned, with the way to it", async () => {
  signIn();
  answers["/api/lms/inventory/"] = list([
    { id: 7, course, is_expired: false, expire_at: "2027-01-31T15:00:00Z" },
  ]);
  await open("/course/101");
  await expect.element(page.getByText("持っています")).toBeVisible();
  await expect.element(page.getByText("2027年1月31日(日)まで")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "学習を続ける" }))
    .toHaveAttribute("href", "/mypage/learnning/7");
});

test("an expired course is marked 期限切れ, and can be put aside until it is sold again", async () => {
  signIn();
  answers["/api/lms/inventory/"] = list([
    { id: 7, course, is_expired: true, expire_at: "2026-01-31T14:59:59Z" },
  ]);
  await open("/course/101");
  await expect.element(page.getByText("期限切れ")).toBeVisible();
  await expect.element(page.getByText(/^もう一度購入する手続きは、ただいま準備中/)).toBeVisible();
  await page.getByRole("button", { name: "あとで見る" }).click();
  await expect.poll(() => changes).toEqual(["PUT /api/lms/bookmark/101/"]);
});

test("a course that can't be put aside is not shown as put aside, and the reason is told", async () => {
  signIn();
  await open("/course/101");
  const later = page.getByRole("button", { name: "あとで見る" });
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
  const answer = fetch;
  vi.stubGlobal("fetch", (url: string, init?: RequestInit) =>
    init?.method === "PUT" ? Promise.reject(new TypeError("offline")) : answer(url, init),
  );
  await later.click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent(
      "「あとで見る」に入れられませんでした。インターネットにつながりません。接続を確かめてからお試しください。",
    );
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
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
