import { learner } from "@konomana/testing";
import { restorePath } from "@konomana/session";
import { beforeEach, expect, test } from "vitest";
import { userEvent } from "vitest/browser";
import { check, checkResult, faultsOnAPhone, listedCheck, offline, open } from "../examTesting";

const PATH = "/test?check=3";
const LIST = "GET exam/check/";
const QUESTIONS = "GET exam/check/3/";
const SCORE = "POST exam/check/3/result/";

const answers = {
  [LIST]: () => ({ count: 1, next: null, previous: null, results: [listedCheck] }),
  [QUESTIONS]: () => check,
  [SCORE]: () => checkResult,
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

test("a check is chosen by school year and subject, without an account", async () => {
  const { screen, address } = await open("/test", { answers, user: null });
  await expect.element(screen.getByRole("region", { name: "中1" })).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await screen.getByRole("link", { name: "数学" }).click();
  await expect.poll(address).toBe(PATH);
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("正負の数と文字式");
});

test("one question at a time is answered by keyboard, scored and explained", async () => {
  const { screen, changes } = await open(PATH, { answers, user: null });
  const first = screen.getByRole("radio", { name: /-3/ });
  await expect.element(first).toBeVisible();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard("2");
  await expect.element(screen.getByRole("radio", { name: /2 2/ })).toBeChecked();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("heading", { name: /^問2/ })).toHaveFocus();
  await userEvent.keyboard("12");
  await expect.element(screen.getByRole("checkbox", { name: /-1/ })).toBeChecked();
  await screen.getByRole("button", { name: "次の問題" }).click();
  await expect.element(screen.getByRole("heading", { name: /^問3/ })).toHaveFocus();
  await expect.element(screen.getByText("3問中2問に答えました。")).toBeVisible();
  await screen.getByRole("button", { name: "採点する" }).click();
  const top = screen.getByRole("heading", { level: 1 });
  await expect.element(top).toHaveTextContent("正負の数と文字式の結果");
  await expect.element(top).toHaveFocus();
  await expect.element(screen.getByText(/1問正解/)).toBeVisible();
  expect(changes()).toEqual([
    {
      call: SCORE,
      body: {
        answers: [
          { question_id: 301, answer: { choices: [2] } },
          { question_id: 302, answer: { choices: [1, 2] } },
          { question_id: 303, answer: null },
        ],
      },
    },
  ]);
  await expect.element(screen.getByRole("region", { name: "問1" })).toMatchTextContent(/正解/);
  await expect
    .element(screen.getByRole("region", { name: "問2" }))
    .toMatchTextContent(/不正解.*0は負の数ではありません。/);
  await expect.element(screen.getByRole("region", { name: "問3" })).toMatchTextContent(/未解答/);
  await expect
    .element(screen.getByRole("link", { name: "中1数学 正負の数と文字式" }))
    .toHaveAttribute("href", "/course/102");
  await expect.element(screen.getByText("コノ模試 第1回")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("keys of a conversion, as Safari reports them, choose nothing and do not go on", async () => {
  const { screen } = await open(PATH, { answers, user: null });
  const first = screen.getByRole("radio", { name: /-3/ });
  await expect.element(first).toBeVisible();
  const press = (key: string, keyCode: number) =>
    first
      .element()
      .dispatchEvent(
        new KeyboardEvent("keydown", { key, keyCode, bubbles: true, cancelable: true }),
      );
  expect(press("Enter", 229)).toBe(false);
  press("2", 229);
  const second = screen.getByRole("radio", { name: /2 2/ });
  await expect.element(second).not.toBeChecked();
  expect(press("Enter", 13)).toBe(true);
  press("2", 50);
  await expect.element(second).toBeChecked();
});

test("answers, position and view survive a reload", async () => {
  const { screen } = await open(PATH, { answers, user: null });
  await screen.getByRole("radio", { name: /2 2/ }).click();
  await screen.getByRole("button", { name: "次の問題" }).click();
  await screen.getByRole("checkbox", { name: /-5/ }).click();
  await screen.unmount();
  const again = await open(PATH, { answers, user: null });
  await expect.element(again.screen.getByRole("heading", { name: /^問2/ })).toBeVisible();
  await expect.element(again.screen.getByRole("checkbox", { name: /-5/ })).toBeChecked();
  await again.screen.getByRole("button", { name: "全部の問題を並べる" }).click();
  await expect.element(again.screen.getByRole("radio", { name: /2 2/ })).toBeChecked();
  expect(await faultsOnAPhone(again.screen.container)).toEqual([]);
});

test("an unreadable number shows an error before the check is scored", async () => {
  const { screen, changes } = await open(PATH, { answers, user: null });
  await screen.getByRole("button", { name: "全部の問題を並べる" }).click();
  const field = screen.getByLabelText("答え（数）");
  await field.fill("五つ");
  await screen.getByRole("button", { name: "採点する" }).click();
  await expect.element(field).toHaveAccessibleDescription(/数か分数で入力してください/);
  await expect.element(field).toHaveFocus();
  expect(changes()).toEqual([]);
});

test("answers stay while offline, and the next press scores them", async () => {
  let down = true;
  const { screen } = await open(PATH, {
    user: null,
    answers: { ...answers, [SCORE]: () => (down ? offline() : checkResult) },
  });
  await screen.getByRole("button", { name: "全部の問題を並べる" }).click();
  await screen.getByRole("radio", { name: /2 2/ }).click();
  await screen.getByRole("button", { name: "採点する" }).click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/答えは残っています/);
  await expect.element(screen.getByRole("radio", { name: /2 2/ })).toBeChecked();
  down = false;
  await screen.getByRole("button", { name: "採点する" }).click();
  await expect.element(screen.getByText(/1問正解/)).toBeVisible();
});

test("the result survives a sign-up, which returns to it", async () => {
  const { screen, address } = await open(PATH, { answers, user: null });
  await screen.getByRole("button", { name: "全部の問題を並べる" }).click();
  await screen.getByRole("button", { name: "採点する" }).click();
  await screen.getByRole("link", { name: "無料で登録する" }).click();
  await expect.poll(address).toBe("/signup");
  await screen.unmount();
  const back = await open(restorePath(), { answers, user: learner });
  await expect.element(back.screen.getByText(/1問正解/)).toBeVisible();
  await expect
    .element(back.screen.getByRole("link", { name: "無料で登録する" }))
    .not.toBeInTheDocument();
  await back.screen.getByRole("button", { name: "もう一度解く" }).click();
  await expect.element(back.screen.getByRole("button", { name: "採点する" })).toBeVisible();
});

test("a check that does not exist is not found", async () => {
  const { screen } = await open("/test?check=99", { answers, user: null });
  await expect.element(screen.getByRole("heading", { name: "not found" })).toBeVisible();
});
