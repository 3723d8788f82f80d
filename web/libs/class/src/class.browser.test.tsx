import { type Answers, done, problem } from "@konomana/testing";
import { signInAt } from "@konomana/session/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { Alerts } from "@konomana/ui-base";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { ClassScreen } from "./ClassScreen";
import type { ClassWeek, LiveLesson } from "./classCalls";
import { classWeekOf, learnerClassOf, liveLessonOf } from "./classTesting";

const lesson = liveLessonOf();
const past = liveLessonOf({ id: 10, number: 2, attendance: "absent", recording_id: 104010102 });
const moved = liveLessonOf({
  id: 12,
  number: 4,
  starts_at: "2026-12-05T01:00:00Z",
  ends_at: "2026-12-05T01:50:00Z",
  moved_from: "2026-12-04T10:00:00Z",
  reason: "先生の研修のため",
  revision: 1,
});
const cancelled = liveLessonOf({
  id: 13,
  number: 5,
  title: "",
  is_cancelled: true,
  reason: "学校行事のため",
  revision: 1,
});
const given = {
  text: "プリントを解く",
  due_at: "2026-12-05T15:00:00Z",
  done_at: null,
  is_late: false,
};
const homework: LiveLesson = { ...past, homework: given };
const week = classWeekOf({
  classes: [learnerClassOf()],
  lessons: [past, lesson, moved, cancelled],
  has_previous: true,
  has_next: true,
  homework: [homework],
});

/** Opens the screen for a signed-in learner. */
async function open(answers: Answers, address = "/mypage/class") {
  const { calls, queries } = signInAt(address, answers);
  const router = createMemoryRouter(
    [
      { path: "/mypage/class", Component: ClassScreen },
      { path: "*", Component: () => <p>別のページ</p> },
    ],
    { initialEntries: [address] },
  );
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { screen, calls, router };
}

test("a week shows each lesson with what has changed, the attendance and the recording", async () => {
  const { screen, router } = await open({ "GET lms/class/": () => week });
  await expect.element(screen.getByText("2026年11月30日(月)からの1週間")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  const lessons = screen.getByRole("list", { name: "この週の授業" }).getByRole("listitem");
  await expect.element(lessons.nth(0).getByText("欠席")).toBeVisible();
  await expect
    .element(lessons.nth(0).getByRole("link", { name: "第2回 化学反応式の録画を見る" }))
    .toHaveAttribute("href", "/lecture/104010102");
  await expect.element(lessons.nth(1).getByText("2026年12月3日(木) 19:00〜19:50")).toBeVisible();
  await expect.element(lessons.nth(2).getByText("日時変更")).toBeVisible();
  await expect
    .element(lessons.nth(2).getByText("もとの日時は2026年12月4日(金) 19:00です。"))
    .toBeVisible();
  await expect.element(lessons.nth(3).getByText("休講")).toBeVisible();
  await expect.element(lessons.nth(3).getByText("理由：学校行事のため")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "水城あかね先生" }))
    .toHaveAttribute("href", "/teacher/4");
  await screen.getByRole("link", { name: "次の週" }).click();
  expect(router.state.location.search).toBe("?day=2026-12-07");
  await screen.getByRole("link", { name: "前の週" }).click();
  expect(router.state.location.search).toBe("?day=2026-11-23");
});

test("while the next week loads, this one stays and the link keeps the focus", async () => {
  const next = Promise.withResolvers<ClassWeek>();
  const { screen } = await open({
    "GET lms/class/": ({ query }) => (query.get("day") === null ? week : next.promise),
  });
  const link = screen.getByRole("link", { name: "次の週" });
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const timetable = screen.getByRole("region", { name: "時間割" });
  await expect.element(timetable).toHaveAttribute("aria-busy", "true");
  await expect.element(screen.getByText("2026年11月30日(月)からの1週間")).toBeVisible();
  await expect.element(link).toHaveAttribute("href", "/mypage/class?day=2026-12-14");
  next.resolve({ ...week, monday: "2026-12-07" });
  await expect.element(screen.getByText("2026年12月7日(月)からの1週間")).toBeVisible();
  await expect.element(timetable).toHaveAttribute("aria-busy", "false");
  await expect.element(link).toHaveFocus();
});

test("the link to join is there while the lesson can be joined, and records the attendance", async () => {
  const open_lesson = { ...lesson, join_url: "https://meet.konomana.example/rika" };
  let joined = false;
  const { screen, calls } = await open({
    "GET lms/class/": () => ({
      ...week,
      classes: [learnerClassOf({ next_lesson: open_lesson })],
      lessons: [{ ...open_lesson, attendance: joined ? "joined" : null }],
    }),
    "PUT lms/live-lesson/11/attendance/": () => {
      joined = true;
      return done();
    },
  });
  const link = screen.getByRole("link", { name: "中2理科クラスの授業に参加する" }).first();
  await expect.element(link).toHaveAttribute("href", "https://meet.konomana.example/rika");
  await expect.element(link).toHaveAttribute("rel", "noreferrer");
  const opened = vi.fn<(event: Event) => void>((event) => event.preventDefault());
  document.addEventListener("click", opened, { once: true });
  await link.click();
  await expect.element(screen.getByText("出席")).toBeVisible();
  expect(calls.filter(({ method }) => method === "PUT")).toHaveLength(1);
  expect(opened).toHaveBeenCalled();
});

test("homework is marked as done, and the mark goes back if the server refuses it", async () => {
  let done_at: string | null = null;
  let refuses = false;
  const { screen, calls } = await open({
    "GET lms/class/": () => ({
      ...week,
      homework: [{ ...homework, homework: { ...given, done_at } }],
    }),
    "PUT lms/live-lesson/10/homework/": () => {
      done_at = "2026-12-04T00:00:00Z";
      return done();
    },
    "DELETE lms/live-lesson/10/homework/": () => {
      if (refuses) return problem(404, "NOT_FOUND");
      done_at = null;
      return done();
    },
  });
  const panel = screen.getByRole("region", { name: "宿題" });
  await expect.element(panel.getByText("2026年12月5日(土)まで")).toBeVisible();
  const box = panel.getByRole("checkbox");
  await box.click();
  await expect.element(box).toBeChecked();
  // The mark shows before it is stored, so it must survive leaving the page.
  expect(calls.find(({ method }) => method === "PUT")?.keepalive).toBe(true);
  refuses = true;
  await box.click();
  await expect.element(panel.getByText("宿題の印を保存できませんでした")).toBeVisible();
  await expect.element(box).toBeChecked();
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("late homework says so", async () => {
  const late = { ...homework, homework: { ...given, is_late: true } };
  const { screen } = await open({ "GET lms/class/": () => ({ ...week, homework: [late] }) });
  await expect.element(screen.getByText("期限を過ぎています")).toBeVisible();
});

test("a learner without a class sees what to do next, and an empty week says so", async () => {
  const { screen } = await open({ "GET lms/class/": () => classWeekOf() });
  await expect.element(screen.getByText("参加しているクラスはありません")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "講座をさがす" }))
    .toHaveAttribute("href", "/course");
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.unmount();
  const empty = await open({ "GET lms/class/": () => ({ ...week, lessons: [], homework: [] }) });
  await expect.element(empty.screen.getByText("この週に授業はありません")).toBeVisible();
});

test("a failure can be tried again", async () => {
  let fails = true;
  const { screen } = await open({
    "GET lms/class/": () => (fails ? problem(500, "INTERNAL") : week),
  });
  const again = screen.getByRole("button", { name: /もう一度/ });
  await expect.element(again).toBeVisible();
  fails = false;
  await again.click();
  await expect.element(screen.getByRole("heading", { name: "時間割" })).toBeVisible();
});
