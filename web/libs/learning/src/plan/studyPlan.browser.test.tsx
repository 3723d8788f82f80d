import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type ApiCall, done, json, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open, plannedOf, planOf } from "../testing/learner";

const minutes = () => page.getByLabelText("1日に学習する時間");
const day = (name: string) => page.getByRole("region", { name });

/** A server that stores the minutes. From 30 minutes on, a day has two lessons. */
function school() {
  const stored: number[] = [];
  /** The `keepalive` of each request. */
  const keepalives: boolean[] = [];
  const lessons = [11, 12, 13, 14].map((id) => plannedOf(id));
  const [one, two, three, four] = lessons.map((lesson) => [lesson]);
  const plan = () => {
    const chosen = stored.at(-1) ?? 15;
    if (chosen === 0) return { ...planOf({ minutes: 0 }), days: [] };
    const days = chosen < 30 ? [one, two, three, four] : [lessons.slice(0, 2), lessons.slice(2)];
    return planOf({ minutes: chosen, days: days.flatMap((lesson) => (lesson ? [lesson] : [])) });
  };
  return {
    stored,
    keepalives,
    answers: {
      "GET lms/study-plan/": () => json(plan()),
      "PUT lms/study-plan/": ({ body, keepalive }: ApiCall<{ minutes: number }>) => {
        stored.push(body.minutes);
        keepalives.push(keepalive);
        return done();
      },
    },
  };
}

test("the two weeks list the lessons of each day", async () => {
  const { screen } = await open("/mypage/plan", { answers: school().answers });
  const today = day("今日・11月21日(土)");
  await expect
    .element(today.getByRole("link", { name: "主語を見つける" }))
    .toHaveAttribute("href", "/lecture/11");
  await expect
    .element(day("11月24日(火)").getByRole("link"))
    .toHaveAttribute("href", "/lecture/14");
  await expect.element(day("12月4日(金)").getByText("この日の予定はありません。")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await page.viewport(360, 740);
  expect(document.documentElement.scrollWidth).toBe(360);
});

test("the minutes are changed with the keyboard, and the plan follows", async () => {
  const { stored, keepalives, answers } = school();
  await open("/mypage/plan", { answers });
  await expect.element(minutes()).toHaveValue("15");
  (minutes().element() as HTMLElement).focus();
  for (const chosen of ["20", "25", "30"]) {
    await userEvent.keyboard("{ArrowDown}");
    await expect.element(minutes()).toHaveValue(chosen);
  }
  await expect.poll(() => stored).toEqual([20, 25, 30]);
  expect(keepalives).toEqual([true, true, true]);
  await expect.element(minutes()).toHaveFocus();
  await expect.element(day("今日・11月21日(土)").getByRole("link").nth(1)).toBeVisible();
  await expect.element(page.getByText("保存しました。")).toBeVisible();
});

test("the plan is switched off and on again", async () => {
  const { answers } = school();
  await open("/mypage/plan", { answers });
  await userEvent.selectOptions(minutes(), "プランをお休みする");
  await expect.element(page.getByText("学習プランはお休み中です")).toBeVisible();
  await userEvent.selectOptions(minutes(), "5分");
  await expect.element(day("今日・11月21日(土)")).toBeVisible();
});

test("a change that fails is said, and the old minutes stay", async () => {
  const { answers } = school();
  await open("/mypage/plan", {
    answers: { ...answers, "PUT lms/study-plan/": () => problem(500, "INTERNAL") },
  });
  await expect.element(minutes()).toHaveValue("15");
  await userEvent.selectOptions(minutes(), "60");
  await expect.element(page.getByText("保存できませんでした")).toBeVisible();
  await expect.element(minutes()).toHaveValue("15");
});

test("all that does not fit is listed with its deadline, and later lessons are counted", async () => {
  const course = { id: 101, name: "中1英語 be動詞" };
  const { screen } = await open("/mypage/plan", {
    answers: {
      "GET lms/study-plan/": () =>
        planOf({
          days: [[plannedOf(11)]],
          later_count: 7,
          shortfalls: [
            { course, deadline: "exam", date: "2026-11-24", lesson_count: 4 },
            { course, deadline: "homework", date: "2026-11-25", lesson_count: 1 },
            { course, deadline: "expiry", date: "2026-12-04", lesson_count: 2 },
          ],
        }),
    },
  });
  await expect
    .element(page.getByText("中1英語 be動詞：模試の前の日（11月24日(火)）までに4つ残ります。"))
    .toBeVisible();
  await expect
    .element(page.getByText("中1英語 be動詞：期限（12月4日(金)）までに2つ残ります。"))
    .toBeVisible();
  await expect
    .element(page.getByText("中1英語 be動詞：宿題の期限（11月25日(水)）までに1つ残ります。"))
    .toBeVisible();
  await expect.element(page.getByText(/1日120分でも間に合わない/)).toBeVisible();
  await expect.element(page.getByText("このあとも、7本のレッスンがつづきます。")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("without a lesson to watch the page says what to do", async () => {
  await open("/mypage/plan");
  await expect.element(page.getByText("これから見るレッスンはありません")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "講座をさがす" }))
    .toHaveAttribute("href", "/course");
});

test("after the last lesson only today is shown, with what to do next", async () => {
  const finished = plannedOf(11, { is_done: true, seconds_left: 0 });
  const { screen } = await open("/mypage/plan", {
    answers: { "GET lms/study-plan/": () => planOf({ days: [[finished]] }) },
  });
  await expect.element(day("今日・11月21日(土)").getByText("✓ できた")).toBeVisible();
  await expect.element(page.getByText("これから見るレッスンはありません")).toBeVisible();
  await expect.element(page.getByText("この日の予定はありません。")).not.toBeInTheDocument();
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("homework and its lesson say until when, and done homework is marked", async () => {
  const homework = {
    id: 5,
    class_id: 1,
    class_name: "金曜クラス",
    text: "プリント",
    due_date: "2026-11-24",
    is_done: false,
  };
  const { screen } = await open("/mypage/plan", {
    answers: {
      "GET lms/study-plan/": () =>
        planOf({
          days: [[plannedOf(11, { homework_due_date: "2026-11-24" })]],
          homework: [[homework], [{ ...homework, id: 6, text: "音読", is_done: true }]],
        }),
    },
  });
  const today = day("今日・11月21日(土)");
  await expect
    .element(today.getByText("中1英語 be動詞・7分31秒・宿題 11月24日(火)まで"))
    .toBeVisible();
  await expect
    .element(today.getByText("金曜クラス・めやす10分・宿題 11月24日(火)まで"))
    .toBeVisible();
  await expect
    .element(today.getByRole("link", { name: "プリント" }))
    .toHaveAttribute("href", "/mypage/class");
  await expect.element(today.getByText("17分31秒", { exact: true })).toBeVisible();
  await expect.element(day("11月22日(日)").getByText("✓ できた")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});
