import type { User } from "@konomana/session";
import { type Answers, learner } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { expect, onTestFinished, test, vi } from "vitest";
import { open } from "../testing/learner";
import {
  aoi,
  CHILD,
  CHILDREN,
  fullOverview,
  guardian,
  LINKS,
  OVERVIEW,
  overviewOf,
  OWN_OVERVIEW,
} from "./guardianTesting";
import { listReportWeeks } from "./reportWeeks";

test("the child sees the same panels as the guardian, and who viewed them", async () => {
  const answers: Answers = {
    [OVERVIEW]: fullOverview,
    [OWN_OVERVIEW]: fullOverview,
    [CHILDREN]: () => ({ results: [aoi] }),
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
  const read = async (path: string, user: User) => {
    const { screen } = await open(path, { answers, user });
    const texts: (string | null)[] = [];
    for (const name of shared) {
      const panel = screen.getByRole("region", { name, exact: true });
      await expect.element(panel).toBeVisible();
      texts.push(panel.element().textContent);
    }
    const exam = screen.getByRole("link", { name: "コノ模試 第1回" }).element();
    return { screen, texts, exam: exam.getAttribute("href") };
  };
  const guardians = await read(`/mypage/child/${CHILD}`, guardian);
  const { screen } = guardians;
  await expect.element(screen.getByText("この7日間：70分")).toBeVisible();
  await expect.element(screen.getByText("その前の7日間：21分")).toBeVisible();
  await expect.element(screen.getByText(/偏差値 54\.8/)).toBeVisible();
  await expect.element(screen.getByText("30 / 40問")).toBeVisible();
  await expect.element(screen.getByText("キャンセル待ち")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.unmount();

  const own = await read("/mypage/guardian-view", learner);
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
  const answers: Answers = {
    [OVERVIEW]: fullOverview,
    [OWN_OVERVIEW]: fullOverview,
    [CHILDREN]: () => ({ results: [aoi] }),
    [LINKS]: () => ({ results: [], views: [] }),
    "GET accounts/guardian/children/{id}/report/": pdf,
    "GET accounts/guardian/report/": pdf,
  };
  const [last = "", before = ""] = listReportWeeks(Date.now());
  for (const [path, user] of [
    [`/mypage/child/${CHILD}`, guardian],
    ["/mypage/guardian-view", learner],
  ] as const) {
    asked.length = 0;
    saved.mockClear();
    const { screen } = await open(path, { answers, user });
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
  const answers: Answers = {
    [OVERVIEW]: () =>
      overviewOf({ learning: null, exams: null, appointments: null, purchases: null }),
    [CHILDREN]: () => ({ results: [aoi] }),
  };
  const { screen } = await open(`/mypage/child/${CHILD}`, { answers, user: guardian });
  await expect.element(screen.getByText("いまは読みこめません").first()).toBeVisible();
  expect(screen.getByText("いまは読みこめません").elements()).toHaveLength(4);
  await expect.element(screen.getByText(/ありません。/)).not.toBeInTheDocument();
});

test("a long log of views opens as a whole", async () => {
  const answers: Answers = {
    [OWN_OVERVIEW]: () => overviewOf(),
    [LINKS]: () => ({
      results: [],
      views: Array.from({ length: 12 }, (_, index) => ({
        name: "木下 恵",
        what: "overview",
        at: `2026-11-${index + 10}T00:00:00Z`,
      })),
    }),
  };
  const { screen } = await open("/mypage/guardian-view", { answers });
  await expect.element(screen.getByText("木下 恵さん：この画面").first()).toBeVisible();
  expect(screen.getByText("木下 恵さん：この画面").elements()).toHaveLength(10);
  await screen.getByRole("button", { name: "のこりの2件も見る" }).click();
  expect(screen.getByText("木下 恵さん：この画面").elements()).toHaveLength(12);
});
