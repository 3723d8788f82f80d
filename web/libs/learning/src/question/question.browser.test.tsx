import { beforeEach, describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, json, problem } from "@konomana/testing";
import {
  all,
  faultsOnAPhone,
  multiple,
  number,
  open,
  outcome,
  round,
  says,
  single,
  text,
} from "./questionTesting";

const prompt = (words: string) => page.getByText(words, { exact: false }).first();

/** A question due for review. */
const due = (question_id: number) => ({
  question_id,
  prompt: "つぎ",
  lesson: single.lesson,
  course: single.course,
  due_at: "2026-11-20T00:00:00Z",
  step: 1,
});

beforeEach(async () => {
  sessionStorage.clear();
  await page.viewport(1280, 900);
});

describe("each kind can be answered", () => {
  test("one choice", async () => {
    const { screen, sent, press } = await open("/lecture/7/question/71", {
      "POST lms/question/71/answer/": says({}),
    });
    await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("問題 1 / 4");
    await expect
      .element(screen.getByText("採点は1回だけです。練習は何度でもできます。"))
      .toBeVisible();
    await screen.getByRole("radio", { name: "3 解はない" }).click();
    await screen.getByRole("radio").nth(1).click();
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toHaveFocus();
    expect(sent().map(({ body }) => body)).toEqual([{ answer: { choices: [2] }, result: null }]);
    const right = screen.getByRole("listitem").filter({ hasText: "正しい答え" });
    await expect.element(right.getByText("あなたの答え")).toBeVisible();
  });

  test("several choices, in any number", async () => {
    const { screen, sent, press } = await open("/lecture/7/question/72", {
      "POST lms/question/72/answer/": says({ is_right: false, given: { choices: [1, 3] } }),
    });
    await expect.element(screen.getByText(/いくつ選んでもよい問題です/)).toBeVisible();
    for (const name of ["3 ウ", "2 イ", "1 ア", "2 イ"])
      await screen.getByRole("checkbox", { name }).click();
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "不正解です" })).toHaveFocus();
    expect(sent()[0]?.body).toEqual({ answer: { choices: [1, 3] }, result: null });
  });

  test("a number, in any width, also as a fraction", async () => {
    const { screen, sent, press } = await open("/lecture/7/question/73", {
      "POST lms/question/73/answer/": says({ given: { number: "1/2" }, key: { number: "0.5" } }),
    });
    const field = screen.getByLabelText("答え（数）");
    await expect.element(field).toHaveAttribute("inputmode", "decimal");
    await field.fill("１");
    await press("分数の線を入れる");
    await expect.element(field).toHaveFocus();
    await userEvent.keyboard("２");
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent()[0]?.body).toEqual({ answer: { number: "1/2" }, result: null });
  });

  test("text", async () => {
    const { screen, sent, press } = await open("/lecture/7/question/74", {
      "POST lms/question/74/answer/": says({ given: { text: "判別式" }, key: { text: "判別式" } }),
    });
    await screen.getByLabelText("答え").fill(" 判別式　");
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent()[0]?.body).toEqual({ answer: { text: "判別式" }, result: null });
  });

  test.each([
    [single, "答えを選んでください。"],
    [multiple, "答えを選んでください。"],
    [number, "答えを入力してください。"],
    [text, "答えを入力してください。"],
  ])("without an answer $kind shows an error and sends nothing", async ({ id }, sentence) => {
    const { screen, sent, press } = await open(`/lecture/7/question/${id}`);
    await press("答える");
    await expect.element(screen.getByText(sentence)).toBeVisible();
    expect(sent()).toEqual([]);
  });
});

test("formulas are rendered with MathML for screen readers", async () => {
  const { screen } = await open("/lecture/7/question/71");
  await expect.element(prompt("の解はどれですか。")).toBeVisible();
  await expect.poll(() => screen.container.querySelectorAll("math").length).toBe(3);
  const drawn = screen.container.querySelectorAll<HTMLElement>(".katex-html");
  expect(drawn).toHaveLength(3);
  expect([...drawn].every((one) => one.getAttribute("aria-hidden") === "true")).toBe(true);
  expect(screen.container.textContent).not.toContain("$");
});

test("a picture has a text alternative", async () => {
  const picture = { url: "/favicon.svg", alt: "頂点が原点にある放物線" };
  const { screen } = await open("/lecture/7/question/71", {
    "GET lms/question/71/": () => json({ ...single, picture }),
  });
  await expect
    .element(screen.getByRole("img", { name: "頂点が原点にある放物線" }))
    .toHaveAttribute("src", "/favicon.svg");
});

test("a hint is shown on demand", async () => {
  const { screen } = await open("/lecture/7/question/71");
  const hint = screen.getByText("負の数も2乗すると正になります。");
  await expect.element(hint).not.toBeVisible();
  await screen.getByText("ヒントを見る").click();
  await expect.element(hint).toBeVisible();
});

test("the outcome has the explanation, a link into the video and the next question", async () => {
  const { screen, press } = await open("/lecture/7/question/71", {
    "POST lms/question/71/answer/": says({}),
  });
  await screen.getByRole("radio").first().click();
  await press("答える");
  await expect.element(screen.getByRole("heading", { name: "解説" })).toBeVisible();
  const scene = screen.getByRole("link", { name: "この場面をもう一度見る（1:35から）" });
  await expect.element(scene).toHaveAttribute("href", "/lecture/7?at=95");
  await expect.element(screen.getByText("4問中 1問に答えました。")).toBeVisible();
  await screen.getByRole("link", { name: "次の問題へ" }).click();
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent("問題 2 / 4");
});

test("the last question leads to the result", async () => {
  const { screen, press } = await open("/lecture/7/question/74", {
    "POST lms/question/74/answer/": says({
      given: { text: "x" },
      key: { text: "判別式" },
      result: { id: 12, answered: 4, of: 4, is_finished: true },
    }),
  });
  await screen.getByLabelText("答え").fill("x");
  await press("答える");
  await expect
    .element(screen.getByRole("link", { name: "結果を見る" }))
    .toHaveAttribute("href", "/lecture/7/result/12");
});

describe("when the answer can't be sent", () => {
  const offline: Answers = {
    "POST lms/question/74/answer/": () => Promise.reject(new TypeError("offline")),
  };

  test("it stays on the screen and can be sent again", async () => {
    let online = false;
    const { screen, sent, press } = await open("/lecture/7/question/74", {
      "POST lms/question/74/answer/": () =>
        online
          ? json(outcome({ given: { text: "判別式" }, key: { text: "判別式" } }))
          : Promise.reject(new TypeError("offline")),
    });
    await screen.getByLabelText("答え").fill("判別式");
    await press("答える");
    await expect.element(screen.getByText(/インターネットにつながりません/)).toBeVisible();
    await expect.element(screen.getByLabelText("答え")).toHaveValue("判別式");
    online = true;
    await press("もう一度送る");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent()).toHaveLength(2);
  });

  test("it survives a reload, and is removed once it has arrived", async () => {
    const first = await open("/lecture/7/question/74", offline);
    await first.screen.getByLabelText("答え").fill("判別式");
    await first.press("答える");
    await expect.element(first.screen.getByText(/インターネットにつながりません/)).toBeVisible();
    await first.screen.unmount();

    const second = await open("/lecture/7/question/74", {
      "POST lms/question/74/answer/": says({ given: { text: "判別式" }, key: { text: "判別式" } }),
    });
    await expect.element(second.screen.getByLabelText("答え")).toHaveValue("判別式");
    await second.press("答える");
    await expect.element(second.screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    await second.screen.unmount();

    const third = await open("/lecture/7/question/74");
    await expect.element(third.screen.getByLabelText("答え")).toHaveValue("");
  });

  test("choices are kept, too", async () => {
    const first = await open("/lecture/7/question/72");
    await first.screen.getByRole("checkbox", { name: "2 イ" }).click();
    await first.screen.unmount();
    const second = await open("/lecture/7/question/72");
    await expect.element(second.screen.getByRole("checkbox", { name: "2 イ" })).toBeChecked();
  });

  test("an expired course offers a new purchase", async () => {
    const { screen, press } = await open("/lecture/7/question/71", {
      "POST lms/question/71/answer/": () => problem(403, "EXPIRED_ITEM"),
    });
    await screen.getByRole("radio").first().click();
    await press("答える");
    await expect
      .element(screen.getByText("この講座は期限切れです。もう一度購入すると受講できます。"))
      .toBeVisible();
    await expect
      .element(screen.getByRole("link", { name: "中3数学 二次方程式と関数をもう一度購入する" }))
      .toHaveAttribute("href", "/course/101");
    await expect.element(screen.getByRole("radio").first()).toBeChecked();
  });

  test("the server's error about a number is shown beside it", async () => {
    const { screen, press } = await open("/lecture/7/question/73", {
      "POST lms/question/73/answer/": () =>
        problem(400, "INVALID", { errors: [{ field: "answer", code: "INVALID_FORMAT" }] }),
    });
    await screen.getByLabelText("答え（数）").fill("1/0");
    await press("答える");
    await expect
      .element(screen.getByLabelText("答え（数）"))
      .toHaveAccessibleDescription(/数か分数で入力してください/);
  });
});

test("an answer that comes second shows the outcome of the first", async () => {
  let graded = false;
  const { screen, press } = await open("/lecture/7/question/71", {
    "GET lms/question/71/": () =>
      json({ ...single, graded: graded ? outcome({ is_right: false }) : null }),
    "POST lms/question/71/answer/": () => {
      graded = true;
      return problem(409, "ALREADY_ANSWERED");
    },
  });
  await screen.getByRole("radio").first().click();
  await press("答える");
  await expect.element(screen.getByRole("heading", { name: "不正解です" })).toBeVisible();
  await expect
    .element(screen.getByText("この問題には、もう答えていました。採点したのは最初の答えです。"))
    .toBeVisible();
});

test("an answered question shows its outcome", async () => {
  const { screen } = await open("/lecture/7/question/71", {
    "GET lms/question/71/": () => json({ ...single, graded: outcome({}) }),
  });
  await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "答える" })).not.toBeInTheDocument();
});

describe("practice", () => {
  const practice = {
    ...round,
    id: 13,
    kind: "practice" as const,
    finished_at: null,
    answers: round.answers.map((answer, index) =>
      index === 0
        ? { ...answer, given: null, is_right: null, key: null, explanation: null }
        : answer,
    ),
  };
  const answers: Answers = { "GET lms/result/13/": () => json(practice) };

  test("asks questions that were graded, and sends answers for its round", async () => {
    const { screen, sent, press } = await open("/lecture/7/question/71?result=13", {
      ...answers,
      "GET lms/question/71/": () => json({ ...single, graded: outcome({}) }),
      "POST lms/question/71/answer/": says({
        result: { id: 13, answered: 1, of: 4, is_finished: false },
      }),
    });
    await expect.element(screen.getByText("これは練習です。何度でもできます。")).toBeVisible();
    await screen.getByRole("radio").nth(1).click();
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(sent()[0]?.body).toEqual({ answer: { choices: [2] }, result: 13 });
    await expect
      .element(screen.getByRole("link", { name: "次の問題へ" }))
      .toHaveAttribute("href", "/lecture/7/question/72?result=13");
  });

  test("shows the progress of the round", async () => {
    let answered = false;
    const { screen, press } = await open("/lecture/7/question/71?result=13", {
      "GET lms/result/13/": () =>
        json(answered ? { ...practice, answers: round.answers } : practice),
      "POST lms/question/71/answer/": () => {
        answered = true;
        return says({ result: { id: 13, answered: 2, of: 2, is_finished: true } })();
      },
    });
    const steps = screen.getByRole("navigation", { name: "この練習の問題" }).getByRole("link");
    await expect.element(steps.first()).toHaveTextContent("問題1未解答");
    await screen.getByRole("radio").nth(1).click();
    await press("答える");
    await expect.element(steps.first()).toHaveTextContent("問題1正解");
  });

  test("shows the answers of this round", async () => {
    const { screen } = await open("/lecture/7/question/73?result=13", answers);
    await expect.element(screen.getByRole("heading", { name: "不正解です" })).toBeVisible();
  });
});

test("a review is sent as one, and leads to the next due question", async () => {
  const { screen, sent, press } = await open("/lecture/7/question/71?review=true", {
    "GET lms/question/71/": () => json({ ...single, graded: outcome({ is_right: false }) }),
    "POST lms/question/71/answer/": says({}),
    "GET lms/review/": () => json({ count: 1, next: null, previous: null, results: [due(73)] }),
  });
  await screen.getByRole("radio").nth(1).click();
  await press("答える");
  await expect
    .element(screen.getByRole("link", { name: "次の復習へ" }))
    .toHaveAttribute("href", "/lecture/7/question/73?review=true");
  expect(sent()[0]?.body).toEqual({ answer: { choices: [2] }, review: true });
});

test("a question of another lesson is not found", async () => {
  const { screen } = await open("/lecture/8/question/71");
  await expect.element(screen.getByText("not found")).toBeVisible();
});

describe("beside the question", () => {
  test("is its lesson with links into its video", async () => {
    const { screen } = await open("/lecture/7/question/71");
    const beside = screen.getByRole("complementary");
    await expect.element(beside.getByText("平方根の考えで解きます。")).toBeVisible();
    await expect
      .element(beside.getByRole("link", { name: "平方根の考え 1:35" }))
      .toHaveAttribute("href", "/lecture/7?at=95");
  });

  test("are the other questions with their outcomes", async () => {
    const { screen, press } = await open("/lecture/7/question/71", {
      "POST lms/question/71/answer/": says({ is_right: false }),
    });
    const steps = screen.getByRole("navigation", { name: "このレッスンの問題" });
    await expect.element(steps.getByRole("link").first()).toHaveTextContent("問題1未解答");
    expect(steps.getByRole("link").all()).toHaveLength(all.length);
    await screen.getByRole("radio").first().click();
    await press("答える");
    await expect.element(steps.getByRole("link").first()).toHaveTextContent("問題1不正解");
  });
});

describe("on a narrow phone", () => {
  test.each(all)("$kind has no violation, before and after the answer", async ({ id, kind }) => {
    const typed = { number: { number: "2" }, text: { text: "判別式" } }[kind as string];
    const right = says(typed ? { given: typed, key: typed } : {});
    const { screen, press } = await open(`/lecture/7/question/${id}`, {
      "POST lms/question/71/answer/": right,
      "POST lms/question/72/answer/": right,
      "POST lms/question/73/answer/": right,
      "POST lms/question/74/answer/": right,
    });
    await expect.element(screen.getByRole("button", { name: "答える" })).toBeVisible();
    await expect.element(screen.getByText("動画の目次")).toBeInTheDocument();
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
    if (typed) await screen.getByRole("textbox").fill("2");
    else await screen.getByText(kind === "single" ? "解はない" : "ウ").click();
    await press("答える");
    await expect.element(screen.getByRole("heading", { name: "正解です" })).toBeVisible();
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
  });
});
