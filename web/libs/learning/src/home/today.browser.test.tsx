import { classWeekOf, learnerClassOf, liveLessonOf } from "@konomana/class/testing";
import { interviewOf, noInterviews } from "@konomana/interview/testing";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, inventoryOf, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open, plannedOf, planOf } from "../testing/learner";

const today = (name = "今日の15分") => page.getByRole("region", { name });
const ahead = () => page.getByRole("region", { name: "これからの予定" });

const classesWith = (lesson: Parameters<typeof liveLessonOf>[0] = {}) =>
  classWeekOf({ classes: [learnerClassOf({ next_lesson: liveLessonOf(lesson) })] });

const interviews = { ...noInterviews, upcoming: [interviewOf()] };

const event = {
  id: 2,
  title: "入試説明会",
  summary: "",
  description: "",
  place: "本校",
  starts_at: "2099-12-05T04:30:00Z",
  ends_at: "2099-12-05T06:30:00Z",
  sign_up_until: "2099-12-04T14:59:00Z",
  capacity: 40,
  places_left: 3,
  waiting: 0,
  can_sign_up: true,
  can_cancel: true,
  materials: null,
  round: 1,
  revision: 0,
  entries: [],
};

test("today's lessons open the player, and those that are done are ticked", async () => {
  const lessons = [
    plannedOf(11, { is_done: true, seconds_left: 0 }),
    plannedOf(12, { seconds_left: 120 }),
    plannedOf(13),
  ];
  const { screen } = await open("/mypage", {
    answers: { "GET lms/study-plan/": () => planOf({ watched_seconds: 600, days: [lessons] }) },
  });
  const rows = today().getByRole("listitem");
  await expect.element(rows.nth(0)).toMatchTextContent("✓ できた");
  await expect.element(rows.nth(1)).toMatchTextContent("のこり2分");
  await expect.element(rows.nth(2)).toMatchTextContent("7分31秒");
  await expect.element(rows.nth(2)).not.toMatchTextContent("できた");
  await expect.element(today().getByText("今日は10分見ました。")).toBeVisible();
  await expect.element(today().getByText("おつかれさまでした")).not.toBeInTheDocument();
  expect(await pageFaults(screen.container)).toEqual([]);
  (rows.nth(1).getByRole("link").element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByLabelText("address")).toHaveTextContent("/lecture/12");
});

const finished = plannedOf(11, { is_done: true, seconds_left: 0 });

test.each([
  [
    "今日の15分",
    "今日の分は終わりました。おつかれさまでした。",
    { days: [[finished], [plannedOf(12)]] },
  ],
  ["今日の15分", "すべてのレッスンを学習しました。おつかれさまでした。", { days: [[finished]] }],
  ["今日の15分", "これから見るレッスンはありません。", {}],
  ["今日の学習プラン", "学習プランはお休み中です。", { minutes: 0 }],
])("%s: %s", async (name, words, plan) => {
  await open("/mypage", { answers: { "GET lms/study-plan/": () => planOf(plan) } });
  await expect.element(today(name).getByText(words)).toBeVisible();
});

test("what does not fit until the end of a course is said with the minutes that are enough", async () => {
  const shortfalls = [
    {
      course: { id: 101, name: "中1英語 be動詞" },
      deadline: "expiry" as const,
      date: "2026-11-24",
      lesson_count: 3,
    },
  ];
  await open("/mypage", {
    answers: {
      "GET lms/study-plan/": () =>
        planOf({ days: [[plannedOf(11)]], shortfalls, enough_minutes: 30 }),
    },
  });
  await expect
    .element(
      today().getByText(
        "今のペースでは、「中1英語 be動詞」は期限（11月24日(火)）までに3つ残ります。1日30分なら間に合います。",
      ),
    )
    .toBeVisible();
});

test("the next live lesson, interview and event are listed, with the link to join", async () => {
  const answers: Answers = {
    "GET lms/class/": () => classesWith({ join_url: "https://meet.konomana.example/class-1" }),
    "GET desk/interview/": () => interviews,
    "GET desk/event/": () => ({ results: [event] }),
  };
  const { screen } = await open("/mypage", { answers });
  const rows = ahead().getByRole("listitem");
  await expect.element(rows.nth(0)).toMatchTextContent("2026年12月3日(木) 19:00〜19:50");
  await expect
    .element(rows.nth(0).getByRole("link", { name: "中2理科クラスの授業に参加する" }))
    .toHaveAttribute("href", "https://meet.konomana.example/class-1");
  await expect.element(rows.nth(1)).toMatchTextContent("学習相談・高瀬航先生");
  await expect
    .element(rows.nth(2).getByRole("link", { name: "入試説明会" }))
    .toHaveAttribute("href", "/mypage/event/2");
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("before its time a live lesson has no link to join, and an empty line says so", async () => {
  const { screen } = await open("/mypage", {
    answers: { "GET lms/class/": () => classesWith() },
  });
  await expect.element(ahead().getByText(/第3回 化学反応式/)).toBeVisible();
  await expect.element(ahead().getByRole("link", { name: /参加する/ })).not.toBeInTheDocument();
  await expect
    .element(ahead().getByText("予約した面談はありません。先生にいつでも相談できます。"))
    .toBeVisible();
  await expect.element(ahead().getByText("いまご案内できるイベントはありません。")).toBeVisible();
  await screen.unmount();
  await open("/mypage", { answers: { "GET lms/inventory/": () => inventoryOf() } });
  await expect.element(ahead().getByText("参加しているクラスはありません。")).toBeVisible();
});

test("each line of what is ahead fails and is retried alone", async () => {
  let broken = true;
  await open("/mypage", {
    answers: {
      "GET lms/class/": () => classesWith(),
      "GET desk/interview/": () => (broken ? problem(500, "INTERNAL") : interviews),
    },
  });
  const rows = ahead().getByRole("listitem");
  await expect
    .element(rows.nth(1).getByRole("alert"))
    .toMatchTextContent("サーバーで問題が起きました。");
  await expect.element(rows.nth(0)).toMatchTextContent("第3回 化学反応式");
  broken = false;
  await rows.nth(1).getByRole("button", { name: "もう一度試す" }).click();
  await expect.element(rows.nth(1)).toMatchTextContent("高瀬航先生");
});

test("a count of notices and due questions of exams that can't be loaded are said", async () => {
  await open("/mypage", {
    answers: {
      "GET desk/notice/mine/unread/": () => problem(500, "INTERNAL"),
      "GET lms/exam-review/": () => problem(500, "INTERNAL"),
    },
  });
  await expect.element(page.getByText("未読の数を読み込めませんでした")).toBeVisible();
  await expect.element(page.getByText("模試の復習は、いま読み込めませんでした。")).toBeVisible();
  await expect.element(page.getByText("いま復習する問題はありません。")).not.toBeInTheDocument();
});
