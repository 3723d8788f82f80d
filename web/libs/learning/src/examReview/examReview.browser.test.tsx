import { type Answers, type ApiCall, listOf, problem } from "@konomana/testing";
import { alertStore } from "@konomana/ui-base";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import type { ExamQuestionResult, ExamReview } from "../api";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open } from "../testing/learner";

const reviewOf = (question_id: number, step = 1): ExamReview => ({
  question_id,
  exam_id: 1,
  step,
  due_at: "2026-11-20T19:00:00Z",
});

const questionOf = (number: number): ExamQuestionResult => ({
  exam_id: 1,
  exam_name: "コノ模試 第1回",
  subject: "数学",
  result: {
    question: {
      id: 500 + number,
      number,
      kind: "single",
      prompt: `どれが${number}ですか。`,
      figures: [],
      choices: [
        { id: 1, text: "いち" },
        { id: 2, text: "に" },
      ],
      points: 5,
      character_limit: null,
      takes_picture: false,
    },
    given: { choices: [2] },
    key: { choices: [1] },
    is_right: false,
    right_rate: 50,
    written_mark: null,
    explanation: `解説${number}`,
    lesson: {
      id: 12,
      name: "動詞を見つける",
      course: { id: 101, name: "中1英語 be動詞" },
      watch_again_at: 95,
      is_usable: true,
    },
  },
});

/** A server on which questions 501 and 502 are due. Each leaves the list when it is recorded. */
function twoDue(step = 1) {
  let due = [reviewOf(501, step), reviewOf(502)];
  const bodies: unknown[] = [];
  const record =
    (id: number) =>
    ({ body }: ApiCall) => {
      bodies.push(body);
      due = due.filter(({ question_id }) => question_id !== id);
      return { due_at: null };
    };
  const answers = {
    "GET lms/exam-review/": () => listOf(...due),
    "GET exam/question/501/result/": () => questionOf(1),
    "GET exam/question/502/result/": () => questionOf(2),
    "POST lms/exam-review/501/": record(501),
    "POST lms/exam-review/502/": record(502),
  } satisfies Answers;
  return { answers, bodies };
}

const reveal = () => page.getByRole("button", { name: "答えと解説を見る" });
const heading = (name: string) => page.getByRole("heading", { level: 2, name });

test("a question shows first without its answer, then with it and a link to its lesson", async () => {
  const { screen } = await open("/mypage/review", { answers: twoDue().answers });
  await expect.element(page.getByText(/^復習する問題が2問あります。/)).toBeVisible();
  await expect.element(heading("数学 問1")).toBeVisible();
  await expect.element(page.getByText("解説1")).not.toBeInTheDocument();
  await expect.element(page.getByText("正しい答え")).not.toBeInTheDocument();
  expect(await pageFaults(screen.container)).toEqual([]);
  await reveal().click();
  await expect.element(page.getByRole("heading", { name: "答えと解説" })).toHaveFocus();
  await expect.element(page.getByText("あなたの答え")).toBeVisible();
  await expect.element(page.getByText("正しい答え")).toBeVisible();
  await expect.element(page.getByText("解説1")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "レッスンのこの場面を見る（1:35から）" }))
    .toHaveAttribute("href", "/lecture/12?at=95");
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("the next due question follows, until none is left", async () => {
  const { answers, bodies } = twoDue();
  await open("/mypage/review", { answers });
  await reveal().click();
  await page.getByRole("button", { name: "できた" }).click();
  await expect.element(heading("数学 問2")).toHaveFocus();
  expect(alertStore.get().blueMessage).toBe("この問題は、3日後にもう一度出ます。");
  await reveal().click();
  await page.getByRole("button", { name: "まだ" }).click();
  await expect.element(page.getByText("いま復習する問題はありません")).toBeVisible();
  expect(alertStore.get().blueMessage).toBe("この問題は、あしたもう一度出ます。");
  expect(bodies).toEqual([{ is_solved: true }, { is_solved: false }]);
});

test("after the last interval a question is done", async () => {
  await open("/mypage/review", { answers: twoDue(4).answers });
  await reveal().click();
  await page.getByRole("button", { name: "できた" }).click();
  await expect.element(heading("数学 問2")).toBeVisible();
  expect(alertStore.get().blueMessage).toBe("この問題の復習は終わりました。");
});

test("a failed recording shows the reason, and can be sent again", async () => {
  const { answers } = twoDue();
  let broken = true;
  const record = answers["POST lms/exam-review/501/"];
  await open("/mypage/review", {
    answers: {
      ...answers,
      "POST lms/exam-review/501/": (call) =>
        broken ? problem(502, "UPSTREAM_UNAVAILABLE") : record(call),
    },
  });
  await reveal().click();
  await page.getByRole("button", { name: "できた" }).click();
  await expect.element(page.getByText(/^記録できませんでした。/).first()).toBeVisible();
  broken = false;
  await page.getByRole("button", { name: "できた" }).click();
  await expect.element(heading("数学 問2")).toBeVisible();
});
