import axe from "axe-core";
import { useState } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import {
  AnswerFields,
  Figure,
  type Lesson,
  nothing,
  Prompt,
  type QuestionKind,
  TeachingLesson,
} from ".";

const choices = [
  { id: 4, text: "$x=3$" },
  { id: 2, text: "イ" },
];

/** A question with its fields, with the answer as JSON beside them. */
function QuestionForm({ kind, name = "answer" }: { kind: QuestionKind; name?: string }) {
  const [answer, setAnswer] = useState(nothing);
  return (
    <>
      <Prompt id={`prompt-${name}`} figures={[{ url: "/favicon.svg", alt: "三角形" }]}>
        $x$ を求めなさい。
      </Prompt>
      <AnswerFields
        kind={kind}
        choices={choices}
        value={answer}
        onChange={setAnswer}
        labelledBy={`prompt-${name}`}
        name={name}
      />
      <output>{JSON.stringify(answer)}</output>
    </>
  );
}

describe("an answer", () => {
  test("by one choice is the id of the last chosen one", async () => {
    const screen = await render(<QuestionForm kind="single" />);
    await screen.getByRole("radio").nth(0).click();
    await screen.getByRole("radio").nth(1).click();
    await expect.element(screen.getByText('{"chosen":[2],"answer":""}')).toBeVisible();
  });

  test("by several choices has them in display order", async () => {
    const screen = await render(<QuestionForm kind="multiple" />);
    await screen.getByRole("checkbox").nth(1).click();
    await screen.getByRole("checkbox").nth(0).click();
    await expect.element(screen.getByText('{"chosen":[4,2],"answer":""}')).toBeVisible();
  });

  test("by a number can contain the signs that a phone's number pad lacks", async () => {
    const screen = await render(<QuestionForm kind="number" />);
    await screen.getByRole("button", { name: "マイナスを入れる" }).click();
    await userEvent.keyboard("3");
    await screen.getByRole("button", { name: "分数の線を入れる" }).click();
    await userEvent.keyboard("4");
    await expect.element(screen.getByLabelText("答え（数）")).toHaveValue("-3/4");
  });

  test("belongs to its own question when a page has two", async () => {
    const screen = await render(
      <>
        <QuestionForm kind="single" name="first" />
        <QuestionForm kind="single" name="second" />
      </>,
    );
    await screen.getByRole("radio").nth(0).click();
    await screen.getByRole("radio").nth(3).click();
    await expect.element(screen.getByRole("radio").nth(0)).toBeChecked();
    await expect.element(screen.getByText('{"chosen":[2],"answer":""}')).toBeVisible();
  });
});

test("a figure opens over the window, zooms in and out, and closes by keyboard", async () => {
  const screen = await render(<Figure picture={{ url: "/favicon.svg", alt: "三角形" }} />);
  await screen.getByRole("button", { name: "図を大きく見る：三角形" }).click();
  const dialog = screen.getByRole("dialog", { name: "図：三角形" });
  await expect.element(dialog.getByText("100%")).toBeVisible();
  await dialog.getByRole("button", { name: "拡大" }).click();
  await dialog.getByRole("button", { name: "拡大" }).click();
  await expect.element(dialog.getByText("200%")).toBeVisible();
  await dialog.getByRole("button", { name: "縮小" }).click();
  await expect.element(dialog.getByText("150%")).toBeVisible();
  expect((await axe.run(dialog.element())).violations.map(({ id }) => id)).toEqual([]);
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
});

test("every kind of question fits a narrow phone without a fault", async () => {
  await page.viewport(320, 640);
  const { container } = await render(
    <main>
      <h1>問題</h1>
      {(["single", "multiple", "number", "text"] as const).map((kind) => (
        <QuestionForm key={kind} kind={kind} name={kind} />
      ))}
    </main>,
  );
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  expect((await axe.run(container)).violations.map(({ id }) => id)).toEqual([]);
});

const renderLesson = (given: Lesson | null) => {
  const router = createMemoryRouter([{ path: "*", element: <TeachingLesson lesson={given} /> }]);
  return render(<RouterProvider router={router} />);
};

describe("the lesson that teaches a question", () => {
  const lesson: Lesson = {
    id: 105010101,
    name: "因数分解で解く",
    course: { id: 105, name: "中3数学 二次方程式と関数" },
    watch_again_at: 154,
    is_usable: true,
  };

  test.each<[string, Partial<Lesson>, string, string]>([
    [
      "plays from its second",
      {},
      "レッスンのこの場面を見る（2:34から）",
      "/lecture/105010101?at=154",
    ],
    [
      "plays from the beginning without one",
      { watch_again_at: null },
      "このレッスンを見る",
      "/lecture/105010101",
    ],
    [
      "leads to the course that has it where it can't be played",
      { is_usable: false },
      "このレッスンのある講座を見る",
      "/course/105#lesson-105010101",
    ],
  ])("%s", async (_, given, name, href) => {
    const screen = await renderLesson({ ...lesson, ...given });
    await expect.element(screen.getByRole("link", { name })).toHaveAttribute("href", href);
    await expect.element(screen.getByText(/「因数分解で解く」で学べます。$/)).toBeVisible();
  });

  test("is absent if no course teaches it", async () => {
    const screen = await renderLesson(null);
    await expect.element(screen.getByText(/いまの講座にはありません。$/)).toBeVisible();
  });
});
