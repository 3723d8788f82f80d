import { type Answers, json, problem } from "@konomana/testing";
import type { ResultSummary, ReviewItem, SubjectGrowth } from "../api";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { faultsOnAPhone, open } from "../question/questionTesting";

const lesson = { id: 7, name: "二次方程式の解き方" };
const course = { id: 101, name: "中3数学 二次方程式と関数" };

const finished: ResultSummary = {
  id: 12,
  kind: "graded",
  lesson,
  course,
  subject: "数学",
  question_count: 5,
  answered_count: 5,
  right_count: 4,
  started_at: "2026-11-20T09:00:00Z",
  finished_at: "2026-11-20T09:10:00Z",
};

const begun: ResultSummary = {
  ...finished,
  id: 13,
  kind: "practice",
  lesson: { id: 8, name: "解の公式" },
  answered_count: 2,
  right_count: 1,
  finished_at: null,
};

const growth: SubjectGrowth[] = [
  {
    subject: "数学",
    points: [
      { date: "2026-11-18", right: 1, of: 4 },
      { date: "2026-11-20", right: 4, of: 5 },
    ],
  },
  { subject: "英語", points: [{ date: "2026-11-19", right: 2, of: 2 }] },
];

const due: ReviewItem = {
  question_id: 71,
  prompt: "$x^2=9$ の解はどれですか。",
  lesson,
  course,
  due_at: "2026-11-20T00:00:00Z",
  step: 1,
};

const paged = <Row,>(results: Row[], rest = {}) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
  ...rest,
});

const full: Answers = {
  "GET lms/result/": () => json(paged([finished, begun])),
  "GET lms/result/growth/": () => json({ subjects: growth }),
  "GET lms/review/": () => json(paged([due])),
};

const nothing: Answers = {
  "GET lms/result/": () => json(paged([])),
  "GET lms/result/growth/": () => json({ subjects: [] }),
  "GET lms/review/": () => json(paged([])),
};

/** The queries with which the list of results was requested. */
const asked = (calls: readonly { call: string; search: string }[]) =>
  calls.filter(({ call }) => call === "GET lms/result/").map(({ search }) => search);

beforeEach(() => page.viewport(1280, 900));

test("every result leads to its answers, and shows whether it counts", async () => {
  const { screen } = await open("/mypage/result", full);
  const rows = screen.getByRole("region", { name: "すべての結果" }).getByRole("listitem");
  await expect.element(rows.first().getByText("採点")).toBeVisible();
  await expect.element(rows.first().getByRole("paragraph").last()).toHaveTextContent("4 / 5問正解");
  await expect
    .element(rows.first().getByRole("link", { name: "二次方程式の解き方" }))
    .toHaveAttribute("href", "/lecture/7/result/12");
  await expect.element(rows.last().getByText("途中・のこり3問")).toBeVisible();
});

test("the progress of each subject is a chart and a table", async () => {
  const { screen } = await open("/mypage/result", full);
  const maths = screen.getByRole("figure", { name: "数学の正答率" });
  await maths.getByText("表で見る").click();
  await expect.element(maths.getByRole("row", { name: "11/20 5問 4問 80%" })).toBeVisible();
  await expect.element(screen.getByRole("figure", { name: "英語の正答率" })).toBeVisible();
});

test("the subject filter is in the address and in the request", async () => {
  const { screen, calls } = await open("/mypage/result?page=2", full);
  await screen
    .getByRole("navigation", { name: "教科でしぼりこむ" })
    .getByRole("link", { name: "英語" })
    .click();
  await expect
    .element(screen.getByLabelText("address"))
    .toHaveTextContent(`/mypage/result?subject=${encodeURIComponent("英語")}`);
  await expect.element(screen.getByRole("heading", { name: "英語の結果" })).toBeVisible();
  await expect.element(screen.getByRole("figure")).toBeVisible();
  await expect
    .poll(() => asked(calls))
    .toContain(`?${new URLSearchParams({ page: "1", subject: "英語" })}`);
});

test("results are paged by the server's links", async () => {
  const { screen, calls } = await open("/mypage/result", {
    ...full,
    "GET lms/result/": () =>
      json(
        paged([finished], {
          count: 21,
          next: "https://konomana.example/api/lms/result/?page=2",
        }),
      ),
  });
  await screen.getByRole("button", { name: "次へ" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("/mypage/result?page=2");
  await expect.poll(() => asked(calls)).toContain("?page=2");
});

test("due questions are listed, and the review begins with the first", async () => {
  const { screen } = await open("/mypage/result", full);
  const review = screen.getByRole("region", { name: "復習" });
  await expect.element(review.getByText("まちがえた問題が1問、復習を待っています。")).toBeVisible();
  await expect
    .element(review.getByText("中3数学 二次方程式と関数・二次方程式の解き方"))
    .toBeVisible();
  await expect
    .element(review.getByRole("link", { name: "復習を始める" }))
    .toHaveAttribute("href", "/lecture/7/question/71?review=true");
});

test("a learner without answers sees what to do", async () => {
  const { screen } = await open("/mypage/result", nothing);
  await expect.element(screen.getByRole("heading", { name: "まだ結果がありません" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "所有講座を見る" })).toBeVisible();
  await expect.element(screen.getByText(/いま復習する問題はありません/)).toBeVisible();
});

test("one failed part leaves the others, and can be retried", async () => {
  let broken = true;
  const { screen, press } = await open("/mypage/result", {
    ...full,
    "GET lms/review/": () => (broken ? problem(400, "INVALID") : json(paged([due]))),
  });
  await expect.element(screen.getByRole("heading", { name: "表示できませんでした" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "解の公式" })).toBeVisible();
  broken = false;
  await press("もう一度試す");
  await expect.element(screen.getByRole("link", { name: "復習を始める" })).toBeVisible();
});

test("there is no violation on a narrow phone", async () => {
  const { screen } = await open("/mypage/result", full);
  await expect.element(screen.getByRole("link", { name: "復習を始める" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "解の公式" })).toBeVisible();
  await expect.element(screen.getByRole("figure").first()).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});
