import { answerFrom, type Answers, done, json, problem, stubServer } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { connectApi, type ErrorCode } from "@konomana/http";
import type { User } from "@konomana/session";
import { alertStore, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { render } from "vitest-browser-react";
import type { Child, ChildCourse, ChildProgress, Overview } from "../api";
import { ChildScreen } from "./ChildScreen";
import { GuardianHome } from "./GuardianHome";
import { GuardianViewScreen } from "./GuardianViewScreen";
import { reportWeeks } from "./reportWeeks";

const CHILD = "018f0000-0000-7000-8000-000000000009";

const guardian: User = {
  id: "018f0000-0000-7000-8000-000000000001",
  email: "guardian@demo.example",
  last_name: "木下",
  first_name: "恵",
  last_name_kana: "キノシタ",
  first_name_kana: "メグミ",
  birth_date: "1980-04-01",
  school_year: null,
  scope: ["guardian"],
  created: "2025-03-10T00:00:00Z",
  school_name: "",
  guardian_consent: "not_needed",
  erase_at: null,
  requested_birth_date: null,
  suspended_passkeys: 0,
  news: false,
};

const aoi: Child = {
  id: CHILD,
  link_id: "l1",
  name: "木下 葵",
  school_year: "高1",
  since: "2026-11-01T00:00:00Z",
  guardian_consent: "given",
};

/** A child's progress as their guardian sees it. */
const progressOf = (given: Partial<ChildProgress> = {}): ChildProgress => ({
  ...aoi,
  courses: [algebra],
  week_seconds: 5_400,
  next_lesson: { lesson: "頂点を求める", course: "高1数学" },
  due_count: 0,
  ...given,
});

const algebra: ChildCourse = {
  id: 1,
  name: "高1数学",
  lesson_count: 18,
  check_count: 9,
  completed_at: null,
  expire_at: "2027-03-31T15:00:00Z",
  last_watched_at: null,
};

/** What the guardian and the child see. */
const overviewOf = (given: Partial<Overview> = {}): Overview => ({
  id: CHILD,
  name: aoi.name,
  school_year: aoi.school_year,
  learning: {
    days: Array.from({ length: 14 }, (_, index) => ({
      date: `2026-11-${String(index + 7).padStart(2, "0")}`,
      seconds: index * 60,
    })),
    courses: [algebra],
    next_lesson: { lesson: "頂点を求める", course: "高1数学" },
    due_count: 4,
    subjects: [{ subject: "数学", answer_count: 40, right_count: 30, last_date: "2026-11-20" }],
  },
  exams: { next: [], results: [], last_total: null },
  appointments: { interviews: [], events: [] },
  purchases: [],
  ...given,
});

const OVERVIEW = "GET accounts/guardian/children/{id}/overview/";
const OWN = "GET accounts/guardian/overview/";
const LINKS = "GET accounts/guardian/links/";

let answers: Answers;
let calls: { call: string; body: unknown }[];

beforeEach(() => {
  calls = [];
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  stubServer((call) => {
    calls.push({ call: `${call.method} ${call.path}`, body: call.body });
    return answerFrom(answers, call);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  // A notice that fades out is not part of the next test.
  alertStore.reload();
});

function open(path: string) {
  const router = createMemoryRouter(
    [
      { path: "/mypage", element: <GuardianHome user={guardian} /> },
      { path: "/mypage/child/:account", Component: ChildScreen },
      { path: "/mypage/guardian-view", Component: GuardianViewScreen },
    ],
    { initialEntries: [path] },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={queries}>
      <>
        <Alerts />
        <RouterProvider router={router} />
      </>
    </QueryClientProvider>,
  );
}

test("a guardian types the code of a child, who is listed from then on", async () => {
  let children: Child[] = [];
  answers = {
    "GET accounts/guardian/children/": () => ({ results: children }),
    "POST accounts/guardian/link/": () => {
      children = [aoi];
      return json({ id: CHILD, name: "木下 葵" }, 201);
    },
  };
  const screen = await open("/mypage");
  await expect.element(screen.getByText(/まだつながっていません/)).toBeVisible();
  await expect.element(screen.getByText(/購入に同意したことになります。/)).toBeVisible();
  await screen.getByLabelText("8文字のコード").fill("ｋ７ｗｐ3hrx");
  await screen.getByRole("button", { name: "つながる" }).click();
  await expect.element(screen.getByRole("link", { name: "木下 葵さん" })).toBeVisible();
  expect(calls.find(({ call }) => call === "POST accounts/guardian/link/")?.body).toEqual({
    code: "K7WP-3HRX",
  });
  expect(alertStore.get().blueMessage).toBe("木下 葵さんとつながりました。");
  await expect.element(screen.getByLabelText("8文字のコード")).toHaveValue("");
});

test.each<[number, ErrorCode, string]>([
  [400, "CODE_WRONG", "コードが正しくないか、使えなくなっています。お子さまにお確かめください。"],
  [409, "GUARDIANS_FULL", "この生徒とつながれる保護者は4人までで、もういっぱいです。"],
])("%i %s is shown, and the code stays in the field", async (status, code, sentence) => {
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [] }),
    "POST accounts/guardian/link/": () => problem(status, code),
  };
  const screen = await open("/mypage");
  await screen.getByLabelText("8文字のコード").fill("K7WP-3HRX");
  await screen.getByRole("button", { name: "つながる" }).click();
  await expect.element(screen.getByText(sentence).first()).toBeVisible();
  await expect.element(screen.getByLabelText("8文字のコード")).toHaveValue("K7WP-3HRX");
});

test("a guardian sees a summary of the week with a suggestion for a conversation", async () => {
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
  };
  const screen = await open("/mypage");
  const card = screen.getByRole("listitem");
  await expect
    .element(card)
    .toMatchTextContent(/この7日間90分復習する問題0問次のレッスン頂点を求める高1数学/);
  await expect.element(card.getByText(/「おもしろかったのはどこ？」/)).toBeVisible();
  await expect.element(card.getByRole("button")).not.toBeInTheDocument();
});

test("a child without courses has no summary yet", async () => {
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf({ courses: [], next_lesson: null }),
  };
  const screen = await open("/mypage");
  await expect.element(screen.getByText("まだ講座を持っていません。")).toBeVisible();
});

test("a failed summary can be retried, and the card still leads to the child", async () => {
  let broken = true;
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () =>
      broken ? problem(502, "UPSTREAM_UNAVAILABLE") : progressOf(),
    [OVERVIEW]: () => overviewOf(),
  };
  const screen = await open("/mypage");
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  broken = false;
  await again.click();
  await expect.element(screen.getByText("頂点を求める")).toBeVisible();
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
});

test("a guardian ends a link after a confirmation", async () => {
  let children = [aoi];
  answers = {
    "GET accounts/guardian/children/": () => ({ results: children }),
    [OVERVIEW]: () => overviewOf(),
    "DELETE accounts/guardian/links/{id}/": () => {
      children = [];
      return done();
    },
  };
  const screen = await open(`/mypage/child/${CHILD}`);
  await screen.getByRole("button", { name: "木下 葵さんとのつながりを解除する" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "解除する" }).click();
  await expect.element(screen.getByText(/まだつながっていません/)).toBeVisible();
});

test("a child's courses show their progress", async () => {
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
    [OVERVIEW]: () => overviewOf(),
  };
  const screen = await open("/mypage");
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByRole("heading", { name: "木下 葵さんの学習" })).toBeVisible();
  await expect.element(screen.getByText("学習済み 9 / 18レッスン")).toBeVisible();
  await expect.element(screen.getByText(/2027年3月31日\(水\)まで/)).toBeVisible();
});

test("a guardian withdraws consent after a confirmation", async () => {
  let state: Child["guardian_consent"] = "given";
  answers = {
    [OVERVIEW]: () => overviewOf(),
    "GET accounts/guardian/children/": () => ({ results: [{ ...aoi, guardian_consent: state }] }),
    "DELETE accounts/guardian/children/{id}/consent/": () => {
      state = "missing";
      return done();
    },
  };
  const screen = await open(`/mypage/child/${CHILD}`);
  await expect.element(screen.getByText(/保護者の方が同意しています。/)).toBeVisible();
  await screen.getByRole("button", { name: "同意を取り消す" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "取り消す" }).click();
  await expect
    .element(screen.getByText(/^保護者の方の同意がないため、お子さまは購入できません。/))
    .toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "同意を取り消す" }))
    .not.toBeInTheDocument();
  expect(alertStore.get().blueMessage).toBe("同意を取り消しました。");
});

test("consent is not shown for a child who is of age", async () => {
  answers = {
    [OVERVIEW]: () => overviewOf(),
    "GET accounts/guardian/children/": () => ({
      results: [{ ...aoi, guardian_consent: "not_needed" }],
    }),
  };
  const screen = await open(`/mypage/child/${CHILD}`);
  await expect
    .element(screen.getByRole("button", { name: "木下 葵さんとのつながりを解除する" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("heading", { name: "保護者の同意" }))
    .not.toBeInTheDocument();
});

test.each<[ErrorCode, string | RegExp]>([
  ["GUARDIAN_UNDER_18", "保護者になれるのは、18歳以上の方です。生年月日をご確認ください。"],
  ["GUARDIAN_MAILBOX", /^このメールアドレスでは、保護者の方の手続きができません。/],
])("a code is refused: %s", async (code, sentence) => {
  answers = {
    "GET accounts/guardian/children/": () => ({ results: [] }),
    "POST accounts/guardian/link/": () => problem(409, code),
  };
  const screen = await open("/mypage");
  await screen.getByLabelText("8文字のコード").fill("K7WP-3HRX");
  await screen.getByRole("button", { name: "つながる" }).click();
  await expect.element(screen.getByText(sentence)).toBeVisible();
});

test("another guardian's child is not found", async () => {
  answers = {};
  const screen = await open(`/mypage/child/${CHILD}`);
  await expect.element(screen.getByText("not found")).toBeVisible();
});

/** A learner with something in every part. */
const full = () =>
  overviewOf({
    exams: {
      next: [
        {
          exam_id: 2,
          name: "コノ模試 第2回",
          starts_at: "2026-12-20T00:00:00Z",
          ends_at: "2026-12-20T09:00:00Z",
          is_application_open: true,
        },
      ],
      results: [
        {
          exam_id: 1,
          exam_name: "コノ模試 第1回",
          ends_at: "2026-11-30T15:00:00Z",
          is_final: true,
        },
      ],
      last_total: { points: 312, full_points: 500, deviation_score_tenths: 548 },
    },
    appointments: {
      interviews: [
        {
          kind_name: "三者面談",
          teacher: "高瀬航",
          starts_at: "2026-12-01T09:00:00Z",
          ends_at: "2026-12-01T09:30:00Z",
        },
      ],
      events: [
        {
          event_id: 2,
          title: "入試説明会",
          place: "オンライン",
          starts_at: "2026-12-05T01:00:00Z",
          ends_at: "2026-12-05T03:00:00Z",
          has_place: false,
        },
      ],
    },
    purchases: [
      { name: "高1数学", placed_at: "2026-11-01T00:00:00Z", state: "fulfilled", amount: 18_800 },
    ],
  });

test("the child sees the very panels of the guardian, and who looked", async () => {
  answers = {
    [OVERVIEW]: full,
    [OWN]: full,
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    [LINKS]: () => ({
      results: [],
      views: [
        { name: "木下 恵", what: "overview", at: "2026-11-20T15:30:00Z" },
        { name: "木下 恵", what: "exam_result", at: "2026-11-19T15:30:00Z" },
        { name: "木下 恵", what: "weekly_report", at: "2026-11-18T15:30:00Z" },
      ],
    }),
  };
  const shared = [
    "実際に見た時間",
    "これからすること",
    "講座",
    "科目ごとの確認問題",
    "週間レポート",
    "コノ模試",
    "イベントと面談",
    "購入した講座と受験",
  ];
  const read = async (path: string) => {
    const screen = await open(path);
    const texts: (string | null)[] = [];
    for (const name of shared) {
      const panel = screen.getByRole("region", { name, exact: true });
      await expect.element(panel).toBeVisible();
      texts.push(panel.element().textContent);
    }
    const exam = screen.getByRole("link", { name: "コノ模試 第1回" }).element();
    return { screen, texts, exam: exam.getAttribute("href") };
  };
  const guardians = await read(`/mypage/child/${CHILD}`);
  const { screen } = guardians;
  await expect.element(screen.getByText("この7日間：70分")).toBeVisible();
  await expect.element(screen.getByText("その前の7日間：21分")).toBeVisible();
  await expect.element(screen.getByText(/偏差値 54\.8/)).toBeVisible();
  await expect.element(screen.getByText("30 / 40問")).toBeVisible();
  await expect.element(screen.getByText("キャンセル待ち")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.unmount();

  const own = await read("/mypage/guardian-view");
  expect(own.texts).toEqual(guardians.texts);
  expect([guardians.exam, own.exam]).toEqual([
    `/mypage/child/${CHILD}/mockexam/1/result`,
    "/mypage/mockexam/1/result",
  ]);
  await expect.element(own.screen.getByText("木下 恵さん：この画面")).toBeVisible();
  await expect.element(own.screen.getByText("木下 恵さん：週間レポート")).toBeVisible();
  await expect.element(own.screen.getByText("2026年11月21日(土) 00:30")).toBeVisible();
  expect(await pageFaults(own.screen.container)).toEqual([]);
});

test("guardian and child save the report of the last week, or of a week before", async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue();
  onTestFinished(() => saved.mockRestore());
  const asked: string[] = [];
  const pdf = ({ query }: { query: URLSearchParams }) => {
    asked.push(query.get("week") ?? "");
    return new Response("%PDF-", { headers: { "content-type": "application/pdf" } });
  };
  answers = {
    [OVERVIEW]: full,
    [OWN]: full,
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    [LINKS]: () => ({ results: [], views: [] }),
    "GET accounts/guardian/children/{id}/report/": pdf,
    "GET accounts/guardian/report/": pdf,
  };
  const [last = "", before = ""] = reportWeeks(Date.now());
  for (const path of [`/mypage/child/${CHILD}`, "/mypage/guardian-view"]) {
    asked.length = 0;
    saved.mockClear();
    const screen = await open(path);
    const panel = screen.getByRole("region", { name: "週間レポート" });
    await panel.getByRole("button", { name: "週間レポートのPDFを保存する" }).click();
    await expect.poll(() => saved.mock.calls.length).toBe(1);
    await panel.getByRole("combobox", { name: "週" }).selectOptions(before);
    await panel.getByRole("button", { name: "週間レポートのPDFを保存する" }).click();
    await expect.poll(() => saved.mock.calls.length).toBe(2);
    expect(asked).toEqual([last, before]);
    expect(saved.mock.contexts).toMatchObject([
      { download: `weekly-report-${last}.pdf` },
      { download: `weekly-report-${before}.pdf` },
    ]);
    await screen.unmount();
  }
});

test("a part that could not be loaded is said to be missing, and not shown as empty", async () => {
  answers = {
    [OVERVIEW]: () =>
      overviewOf({ learning: null, exams: null, appointments: null, purchases: null }),
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
  };
  const screen = await open(`/mypage/child/${CHILD}`);
  await expect.element(screen.getByText("いまは読みこめません").first()).toBeVisible();
  expect(screen.getByText("いまは読みこめません").elements()).toHaveLength(4);
  await expect.element(screen.getByText(/ありません。/)).not.toBeInTheDocument();
});

test("after the child ended the link, what was loaded is gone at the next look", async () => {
  let isLinked = true;
  answers = {
    [OVERVIEW]: () => (isLinked ? overviewOf() : problem(404, "NOT_FOUND")),
    "GET accounts/guardian/children/": () => ({ results: [aoi] }),
    "GET accounts/guardian/children/{id}/": () => progressOf(),
  };
  const screen = await open(`/mypage/child/${CHILD}`);
  await expect.element(screen.getByText("この7日間：70分")).toBeVisible();
  await screen.getByRole("link", { name: "← マイページにもどる" }).click();
  await expect.element(screen.getByRole("link", { name: "木下 葵さん" })).toBeVisible();
  isLinked = false;
  await screen.getByRole("link", { name: "木下 葵さん" }).click();
  await expect.element(screen.getByText("not found")).toBeVisible();
  await expect.element(screen.getByText("この7日間：70分")).not.toBeInTheDocument();
});

test("a long log of views opens as a whole", async () => {
  answers = {
    [OWN]: () => overviewOf(),
    [LINKS]: () => ({
      results: [],
      views: Array.from({ length: 12 }, (_, index) => ({
        name: "木下 恵",
        what: "overview",
        at: `2026-11-${index + 10}T00:00:00Z`,
      })),
    }),
  };
  const screen = await open("/mypage/guardian-view");
  await expect.element(screen.getByText("木下 恵さん：この画面").first()).toBeVisible();
  expect(screen.getByText("木下 恵さん：この画面").elements()).toHaveLength(10);
  await screen.getByRole("button", { name: "のこりの2件も見る" }).click();
  expect(screen.getByText("木下 恵さん：この画面").elements()).toHaveLength(12);
});
