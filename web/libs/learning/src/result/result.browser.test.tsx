import { json, problem } from "@konomana/testing";
import { beforeEach, describe, expect, test } from "vitest";
import { page } from "vitest/browser";
import { faultsOnAPhone, open, round } from "../question/questionTesting";

beforeEach(() => page.viewport(1280, 900));

test("shows the score, each answer and the positions to watch again", async () => {
  const { screen } = await open("/lecture/7/result/12");
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("二次方程式の解き方の結果");
  await expect.element(screen.getByText("1 / 2問正解")).toBeVisible();
  const cards = screen.getByRole("region", { name: "問題ごとの結果" }).getByRole("listitem");
  const wrong = cards.filter({ hasText: "両辺を2で割ります。" });
  await expect.element(wrong.getByText("不正解")).toBeVisible();
  await expect.element(wrong.getByRole("definition").first()).toHaveTextContent("2");
  await expect.element(wrong.getByRole("definition").last()).toHaveTextContent("1/2");
  await expect
    .element(wrong.getByRole("link", { name: "この場面をもう一度見る（1:35から）" }))
    .toHaveAttribute("href", "/lecture/7?at=95");
});

test("wrong answers are collected with the positions that explain them", async () => {
  const { screen } = await open("/lecture/7/result/12");
  const scenes = screen.getByRole("region", { name: "もう一度見るところ" }).getByRole("listitem");
  await expect.element(scenes.getByRole("link")).toHaveAttribute("href", "/lecture/7?at=95");
  await expect.element(scenes.getByText("問題 3")).toBeVisible();
  expect(scenes.all()).toHaveLength(1);
});

/** Texts of the red buttons. */
const red = (container: Element) =>
  [...container.querySelectorAll("a, button")]
    .filter((one) =>
      /^rgb\((?:224, 49, 49|201, 42, 42)\)$/.test(getComputedStyle(one).backgroundColor),
    )
    .map(({ textContent }) => textContent);

test("after a wrong answer the position that explains it comes first", async () => {
  const { screen } = await open("/lecture/7/result/12");
  await expect.element(screen.getByRole("link", { name: /次のレッスン/ })).toBeVisible();
  expect(red(screen.container)).toEqual(["この場面を見る（1:35から）"]);
  await expect.element(screen.getByText(/あと1問で全問正解です/)).toBeVisible();
});

test("after full marks the next lesson comes first, with praise", async () => {
  const answers = round.answers.map((answer) => ({ ...answer, is_right: true }));
  const { screen } = await open("/lecture/7/result/12", {
    "GET lms/result/12/": () => json({ ...round, right_count: 2, answers }),
  });
  await expect.element(screen.getByText(/全問正解です/)).toBeVisible();
  await expect.poll(() => red(screen.container)).toEqual(["次のレッスン「解の公式」へ"]);
});

test.each([
  [1, "rgb(8, 127, 91)"],
  [0, "rgb(33, 36, 46)"],
])("the number %d of right answers is green only from one on", async (right, color) => {
  const { screen } = await open("/lecture/7/result/12", {
    "GET lms/result/12/": () => json({ ...round, right_count: right }),
  });
  const figure = screen
    .getByRole("region", { name: "二次方程式の解き方の結果" })
    .getByText(`${right}`, { exact: true });
  await expect.element(figure).toBeVisible();
  expect(getComputedStyle(figure.element()).color).toBe(color);
});

test("the result leads back to the lesson, and to the next one", async () => {
  const { screen } = await open("/lecture/7/result/12");
  const ways = screen.getByRole("navigation", { name: "次にすること" });
  await expect
    .element(ways.getByRole("link", { name: "レッスンにもどる" }))
    .toHaveAttribute("href", "/lecture/7");
  await expect
    .element(ways.getByRole("link", { name: "次のレッスン「解の公式」へ" }))
    .toHaveAttribute("href", "/lecture/8");
});

describe("practice", () => {
  test("starts a round and opens its first question", async () => {
    const { screen, sent, press } = await open("/lecture/7/result/12", {
      "POST lms/lesson/7/practice/": () => json({ result: 13 }, 201),
      "GET lms/result/13/": () => json({ ...round, id: 13, kind: "practice", answers: [] }),
    });
    await press("もう一度練習する");
    await expect
      .element(screen.getByLabelText("address"))
      .toHaveTextContent("/lecture/7/question/71?result=13");
    await expect.element(screen.getByText("これは練習です。何度でもできます。")).toBeVisible();
    expect(sent()).toHaveLength(1);
  });

  test("shows the reason if it can't start, and can be retried", async () => {
    const { screen, press } = await open("/lecture/7/result/12", {
      "POST lms/lesson/7/practice/": () => problem(409, "NOT_ANSWERED_YET"),
    });
    await press("もう一度練習する");
    await expect
      .element(screen.getByRole("alert"))
      .toHaveTextContent(
        "練習を始められませんでした。練習は、すべての問題に一度ずつ答えてから始められます。",
      );
    await expect.element(screen.getByRole("button", { name: "もう一度練習する" })).toBeVisible();
  });
});

test("a round with open questions leads to the first of them", async () => {
  const unanswered = {
    given: null,
    is_right: null,
    key: null,
    explanation: null,
    watch_again_at: null,
  };
  const { screen } = await open("/lecture/7/result/12", {
    "GET lms/result/12/": () =>
      json({
        ...round,
        answered_count: 1,
        finished_at: null,
        answers: round.answers.map((answer, index) =>
          index === 0 ? answer : { ...answer, ...unanswered },
        ),
      }),
  });
  await expect.element(screen.getByText("1問に答えました。のこりは1問です。")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "のこりの問題に答える" }))
    .toHaveAttribute("href", "/lecture/7/question/73");
  await expect.element(screen.getByText("未解答")).toBeVisible();
});

test("a result of another learner or another lesson is not found", async () => {
  const other = await open("/lecture/7/result/99");
  await expect.element(other.screen.getByText("not found")).toBeVisible();
  await other.screen.unmount();
  const { screen } = await open("/lecture/8/result/12");
  await expect.element(screen.getByText("not found")).toBeVisible();
});

test("there is no violation on a narrow phone", async () => {
  const { screen } = await open("/lecture/7/result/12");
  await expect.element(screen.getByRole("link", { name: /次のレッスン/ })).toBeVisible();
  await expect.element(screen.getByText("動画の目次")).toBeInTheDocument();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});
