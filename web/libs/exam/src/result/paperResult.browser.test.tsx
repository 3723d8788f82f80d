import { problem } from "@konomana/testing";
import { expect, test } from "vitest";
import type { FinalPaperResult } from "../api";
import { faultsOnAPhone, open } from "../examTesting";
import { paperResult, PATH } from "./resultTesting";

const PAPER = "GET exam/paper/12/result/";

const writtenResult: FinalPaperResult["questions"][number] = {
  question: {
    id: 503,
    number: 3,
    kind: "written",
    prompt: "亮太の気持ちを書きなさい。",
    figures: [],
    choices: [],
    points: 6,
    character_limit: 60,
    takes_picture: true,
  },
  given: { text: "真を責めずに\n任せたい。" },
  key: { text: "真を安心させて、部を任せたいという気持ち。" },
  is_right: false,
  right_rate: 12.5,
  explanation: "大会のことを思い出しましょう。",
  lesson: null,
  written_mark: { points: 4, comments: ["大会のことにもふれましょう。"] },
};

test("a written answer shows its points, the comment of the marker and the model answer", async () => {
  const result = { ...paperResult, questions: [...paperResult.questions, writtenResult] };
  const { screen } = await open(`${PATH}/12`, { answers: { [PAPER]: () => result } });
  await expect.element(screen.getByText("4点 / 6点")).toBeVisible();
  await expect.element(screen.getByText("満点だった人 12.5%")).toBeVisible();
  await expect.element(screen.getByText("大会のことにもふれましょう。")).toBeVisible();
  await expect.element(screen.getByText("模範解答")).toBeVisible();
  await expect
    .element(screen.getByText("真を安心させて、部を任せたいという気持ち。"))
    .toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

/** A picture of one red pixel. */
async function redPicture(): Promise<Response> {
  const canvas = new OffscreenCanvas(1, 1);
  const context = canvas.getContext("2d");
  if (context !== null) context.fillStyle = "red";
  context?.fillRect(0, 0, 1, 1);
  const picture = await canvas.convertToBlob({ type: "image/jpeg" });
  return new Response(picture, { headers: { "content-type": "image/jpeg" } });
}

test("a drawn answer is shown as a picture, beside the model answer", async () => {
  const drawn = { ...writtenResult, given: { picture: "0f".repeat(32) } };
  const result = { ...paperResult, questions: [...paperResult.questions, drawn] };
  let isCut = true;
  const { screen } = await open(`${PATH}/12`, {
    answers: {
      [PAPER]: () => result,
      "GET exam/question/503/picture/{picture}/": () =>
        isCut ? problem(503, "INTERNAL") : redPicture(),
    },
  });
  await expect.element(screen.getByText("画像を表示できません。")).toBeVisible();
  isCut = false;
  await screen.getByRole("button", { name: "もう一度読み込む" }).click();
  await expect.element(screen.getByRole("img", { name: "あなたの答え" })).toBeVisible();
  await expect
    .element(screen.getByText("真を安心させて、部を任せたいという気持ち。"))
    .toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a paper shows each question with its key, its explanation and its lesson", async () => {
  const { screen } = await open(`${PATH}/12`, { answers: { [PAPER]: () => paperResult } });
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("数学の結果");
  await expect
    .element(screen.getByRole("heading", { name: "まちがえた問題（1問）" }))
    .toBeVisible();
  await expect.element(screen.getByText("正答率 83.3%")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "問2（正答率50.0%）" }))
    .toHaveAttribute("href", `${PATH}/12#question-2`);
  await expect.element(screen.getByText("答えていません")).toBeVisible();
  await expect.element(screen.getByText("2に3をたします。")).toBeVisible();
  const lessons = screen.getByRole("link", { name: /^レッスンのこの場面を見る/ });
  expect(lessons.elements().map((link) => link.getAttribute("href"))).toEqual([
    "/lecture/103010102?at=154",
  ]);
  await expect
    .element(screen.getByRole("link", { name: "模試の復習" }))
    .toHaveAttribute("href", "/mypage/review");
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("the questions of a running exam are not shown", async () => {
  const { screen } = await open(`${PATH}/12`, {
    answers: { [PAPER]: () => problem(409, "NOT_FINAL") },
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("まだ見られません");
  await expect.element(screen.getByText(/^結果はまだ確定していません。/)).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});
