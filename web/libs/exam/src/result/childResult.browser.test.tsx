import { learner, problem } from "@konomana/testing";
import { expect, test, vi } from "vitest";
import type { QuestionResult } from "../api";
import { faultsOnAPhone, open, schoolOf } from "../examTesting";
import { judgementOf, paperResult, resultOf, SCHOOLS } from "./resultTesting";

const CHILD = "018f0000-0000-7000-8000-000000000009";
const CHILD_PATH = `/mypage/child/${CHILD}/mockexam/1/result`;
const guardian = { ...learner, scope: ["guardian"] };

test("a guardian sees a child's result with the child's name, its PDF and other schools", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
    files.push(file as Blob);
    return "blob:result";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { screen, calls } = await open(CHILD_PATH, {
    user: guardian,
    answers: {
      "GET exam/children/{id}/result/1/": () => ({
        child_name: "木下 葵",
        result: resultOf(),
      }),
      "GET exam/children/{id}/result/1/pdf/": () =>
        new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } }),
      [SCHOOLS]: () => ({ count: 1, next: null, previous: null, results: [schoolOf(9)] }),
      "GET exam/children/{id}/result/1/judgement/": () =>
        judgementOf({ desired_rank: null, grade: "B", probability: 66 }),
    },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("木下 葵さんのコノ模試 第1回の結果");
  await expect.element(screen.getByText("C判定・合格可能性52%")).toBeVisible();
  await screen.getByRole("button", { name: "PDFを保存する" }).click();
  await expect.poll(() => files.length).toBe(1);
  expect(await files[0]?.text()).toBe("%PDF-1.7");
  vi.restoreAllMocks();
  await screen.getByRole("button", { name: "第9高校を選ぶ" }).click();
  await expect.element(screen.getByText("B判定・合格可能性66%").first()).toBeVisible();
  expect(calls.some(({ call }) => call.startsWith("GET exam/application/"))).toBe(false);
  await expect
    .element(screen.getByRole("link", { name: "数学の答えと解説を見る" }))
    .toHaveAttribute("href", `${CHILD_PATH}/12`);
  await expect
    .element(screen.getByRole("link", { name: /お子さまの学習にもどる/ }))
    .toHaveAttribute("href", `/mypage/child/${CHILD}`);
  const panel = screen.getByRole("region", { name: "受験中の記録" });
  await expect
    .element(panel.getByText(/見られるのは、ご本人と、つながっている保護者の方だけです。/))
    .toBeVisible();
  await panel.getByText("英語の記録を見る").click();
  await expect.element(panel.getByText("画面から離れた時間：1分15秒")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a guardian sees each question of a child and the course that teaches the missed ones", async () => {
  const [right, wrong] = paperResult.questions as [QuestionResult, QuestionResult];
  const lesson = wrong.lesson && { ...wrong.lesson, is_usable: false };
  const result = { ...paperResult, questions: [right, { ...wrong, lesson }] };
  const { screen } = await open(`${CHILD_PATH}/12`, {
    user: guardian,
    answers: {
      "GET exam/children/{id}/paper/12/result/": () => ({ child_name: "木下 葵", result }),
    },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("木下 葵さんの数学の結果");
  await expect
    .element(screen.getByRole("link", { name: "このレッスンのある講座を見る" }))
    .toHaveAttribute("href", "/course/103#lesson-103010102");
  await expect.element(screen.getByText("お子さまの答え").first()).toBeVisible();
  await expect.element(screen.getByText("あなたの答え")).not.toBeInTheDocument();
  await expect.element(screen.getByRole("link", { name: "模試の復習" })).not.toBeInTheDocument();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the result of an unlinked child is not found", async () => {
  const { screen } = await open(CHILD_PATH, {
    user: guardian,
    answers: { "GET exam/children/{id}/result/1/": () => problem(404, "NOT_FOUND") },
  });
  await expect.element(screen.getByText(/ページがみつかりません/)).toBeVisible();
});
