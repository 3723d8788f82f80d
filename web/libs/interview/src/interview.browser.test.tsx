import { type Answers, done, problem } from "@konomana/testing";
import { signInAt } from "@konomana/session/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { Alerts } from "@konomana/ui-base";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { InterviewBookedScreen } from "./InterviewBookedScreen";
import type { InterviewHold, Interviews, InterviewWeek } from "./interviewCalls";
import { InterviewKindsScreen } from "./InterviewKindsScreen";
import { InterviewSlotsScreen } from "./InterviewSlotsScreen";
import { InterviewsScreen } from "./InterviewsScreen";
import { interviewOf, noInterviews } from "./interviewTesting";

const SLOT = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
const OTHER_SLOT = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b01";

const interview = interviewOf();
const { id: ID } = interview;
const week: InterviewWeek = {
  kind_name: "学習相談",
  monday: "2026-11-30",
  slots: [
    {
      id: SLOT,
      starts_at: "2026-12-01T09:00:00Z",
      ends_at: "2026-12-01T09:30:00Z",
      teacher: "高瀬航",
    },
    {
      id: OTHER_SLOT,
      starts_at: "2026-12-05T01:00:00Z",
      ends_at: "2026-12-05T01:30:00Z",
      teacher: "佐倉みのり",
    },
  ],
  has_previous: false,
  has_next: true,
  hold: null,
};
const BUTTON = "2026年12月1日(火) 18:00 高瀬航先生";

/** Opens the screens for a signed-in learner at an address. */
async function open(address: string, answers: Answers) {
  const { calls, queries } = signInAt(address, answers);
  const router = createMemoryRouter(
    [
      { path: "/mypage/interview", Component: InterviewsScreen },
      { path: "/mypage/interview/register", Component: InterviewKindsScreen },
      { path: "/mypage/interview/register/:id", Component: InterviewSlotsScreen },
      {
        path: "/mypage/interview/register/complete/:interview",
        Component: InterviewBookedScreen,
      },
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

/** A school with a week of slots; the learner may hold one, except one that another learner took. */
function schoolOf(holdMs = 300_000, taken = "") {
  let hold: InterviewHold | null = null;
  const answers: Answers = {
    "GET desk/interview/kind/": () => ({
      results: [
        { id: 1, name: "学習相談", free_slots: 2 },
        { id: 3, name: "三者面談", free_slots: 0 },
      ],
    }),
    "GET desk/interview/kind/1/slot/": () => ({ ...week, hold }),
    "PUT desk/interview/slot/{id}/hold/": ({ path, body }) => {
      const slot = week.slots.find(({ id }) => path.includes(id));
      if (slot === undefined) return problem(404, "NOT_FOUND");
      if (slot.id === taken) return problem(409, "SLOT_TAKEN");
      const held_until = new Date(Date.now() + holdMs).toISOString();
      hold = { slot, kind: 1, held_until, replaces: body.replaces ?? null };
      return hold;
    },
    "DELETE desk/interview/slot/{id}/hold/": () => {
      hold = null;
      return done();
    },
    "POST desk/interview/": () => {
      hold = null;
      return { id: ID };
    },
    "GET desk/interview/{id}/": () => interview,
    "GET desk/interview/": () => ({ ...noInterviews, upcoming: [interview] }),
  };
  return answers;
}

test("a time is chosen, held and booked with the keyboard, and the page says how to join", async () => {
  const { screen, calls } = await open("/mypage/interview/register", schoolOf());
  await expect.element(screen.getByText("いまは空いている日時がありません。")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("link", { name: "学習相談" }).click();

  await expect.element(screen.getByText("2026年11月30日(月)からの1週間")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  screen.getByRole("button", { name: BUTTON }).element().focus();
  await userEvent.keyboard("{Enter}");
  const panel = screen.getByRole("region", { name: "予約の確認" });
  await expect.element(panel).toHaveFocus();
  await expect.element(panel.getByText("2026年12月1日(火) 18:00〜18:30")).toBeVisible();
  await expect
    .element(panel.getByRole("timer"))
    .toMatchTextContent(/^あと(?:5分|4分\d+秒)のあいだ/);
  await expect
    .element(screen.getByRole("button", { name: BUTTON }))
    .toHaveAttribute("aria-pressed", "true");
  expect(await pageFaults(screen.container)).toEqual([]);

  await userEvent.keyboard("{Tab}{Enter}");
  await expect
    .element(screen.getByRole("heading", { level: 1, name: "面談を予約しました" }))
    .toBeVisible();
  await expect.element(screen.getByRole("region", { name: "参加のしかた" })).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  const booked = calls.find(({ method }) => method === "POST");
  expect(booked?.body).toEqual({ slot: SLOT });
  expect(booked?.headers.get("idempotency-key")).toMatch(/^[\da-f-]{36}$/);
});

test("the teacher and the week are in the address, and an empty week says so", async () => {
  const answers = schoolOf();
  const { screen, calls } = await open("/mypage/interview/register/1", answers);
  await screen.getByRole("link", { name: "佐倉みのり先生" }).click();
  await expect.element(screen.getByRole("button", { name: BUTTON })).not.toBeInTheDocument();
  answers["GET desk/interview/kind/1/slot/"] = () => ({
    ...week,
    monday: "2026-12-28",
    slots: [],
    has_previous: true,
    has_next: false,
  });
  await screen.getByRole("link", { name: "次の週" }).click();
  await expect.element(screen.getByText("この週に空いている日時はありません")).toBeVisible();
  await expect.element(screen.getByText("ほかの週もごらんください。")).toBeVisible();
  expect(calls.at(-1)?.query.get("day")).toBe("2026-12-07");
  await expect.element(screen.getByRole("link", { name: "前の週" })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "次の週" })).not.toBeInTheDocument();
});

test("while the next week loads, this one stays and the link keeps the focus", async () => {
  const next = Promise.withResolvers<InterviewWeek>();
  const { screen } = await open("/mypage/interview/register/1", {
    ...schoolOf(),
    "GET desk/interview/kind/1/slot/": ({ query }) =>
      query.get("day") === null ? week : next.promise,
  });
  const link = screen.getByRole("link", { name: "次の週" });
  await expect.element(link).toBeVisible();
  (link.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const busy = () => screen.container.querySelectorAll("[aria-busy=true]").length;
  await expect.poll(busy).toBe(1);
  await expect.element(screen.getByText("2026年11月30日(月)からの1週間")).toBeVisible();
  await expect.element(link).toHaveAttribute("href", "/mypage/interview/register/1?day=2026-12-14");
  next.resolve({ ...week, monday: "2026-12-07" });
  await expect.element(screen.getByText("2026年12月7日(月)からの1週間")).toBeVisible();
  expect(busy()).toBe(0);
  await expect.element(link).toHaveFocus();
});

test("a slot that another learner took says why, and an over hold can't be booked", async () => {
  const { screen } = await open("/mypage/interview/register/1", schoolOf(1200, SLOT));
  await screen.getByRole("button", { name: BUTTON }).click();
  await expect.element(screen.getByText(/^この日時は、ほかの方が先にえらびました。/)).toBeVisible();
  await screen.getByRole("button", { name: /10:00 佐倉みのり先生$/ }).click();
  const panel = screen.getByRole("region", { name: "予約の確認" });
  await expect.element(panel.getByText(/^時間がたったため/)).toBeVisible();
  await expect
    .element(panel.getByRole("button", { name: "予約する", exact: true }))
    .not.toBeInTheDocument();
  await panel.getByRole("button", { name: "えらび直す" }).click();
  await expect.element(panel).not.toBeInTheDocument();
});

test("a hold that is over at the server says why", async () => {
  const { screen } = await open("/mypage/interview/register/1", {
    ...schoolOf(),
    "POST desk/interview/": () => problem(409, "HOLD_EXPIRED"),
  });
  await screen.getByRole("button", { name: BUTTON }).click();
  await screen.getByRole("button", { name: "予約する", exact: true }).click();
  await expect.element(screen.getByText(/^日時をおさえる時間が過ぎました。/)).toBeVisible();
});

test("a change names the interview that it replaces", async () => {
  const { screen, calls } = await open("/mypage/interview", schoolOf());
  await screen.getByRole("link", { name: /の面談の日時を変える$/ }).click();
  await expect.element(screen.getByText("日時を変えます")).toBeVisible();
  await screen.getByRole("button", { name: BUTTON }).click();
  await expect.element(screen.getByText("予約すると、前の予約は取り消されます。")).toBeVisible();
  expect(calls.find(({ method }) => method === "PUT")?.body).toEqual({ replaces: ID });
});

test("after a booking, the list doesn't show what it was before", async () => {
  const answers = schoolOf();
  const { screen } = await open("/mypage/interview", answers);
  await screen.getByRole("link", { name: /の面談の日時を変える$/ }).click();
  const next = Promise.withResolvers<Interviews>();
  answers["GET desk/interview/"] = () => next.promise;
  await screen.getByRole("button", { name: BUTTON }).click();
  await screen.getByRole("button", { name: "予約する", exact: true }).click();
  await screen.getByRole("link", { name: "面談のページへ" }).click();
  await expect.element(screen.getByRole("heading", { level: 1, name: "面談" })).toBeVisible();
  const cancel = screen.getByRole("button", { name: /の面談をキャンセルする$/ });
  await expect.element(cancel).not.toBeInTheDocument();
  next.resolve({ ...noInterviews, upcoming: [{ ...interview, id: SLOT }] });
  await expect.element(cancel).toBeVisible();
});

test("an interview is cancelled after a question, and saved for a calendar with its sequence", async () => {
  const answers = schoolOf();
  let upcoming = [interview];
  const { screen } = await open("/mypage/interview", {
    ...answers,
    "GET desk/interview/": () => ({ ...noInterviews, upcoming }),
    "DELETE desk/interview/{id}/": () => {
      upcoming = [];
      return done();
    },
  });
  const saved = vi.spyOn(URL, "createObjectURL");
  await screen.getByRole("button", { name: "カレンダーに入れる" }).click();
  const file = saved.mock.calls[0]?.[0] as Blob;
  const text = await file.text();
  expect(text).toContain(`UID:interview-${ID}@${location.hostname}\r\nSEQUENCE:1\r\n`);
  expect(text).toContain("DTSTART:20261201T090000Z");
  saved.mockRestore();

  await screen.getByRole("button", { name: /の面談をキャンセルする$/ }).click();
  const dialog = screen.getByRole("dialog");
  await expect.element(dialog).toMatchTextContent(/2026年12月1日\(火\) 18:00〜18:30の学習相談/);
  await dialog.getByRole("button", { name: "キャンセルする" }).click();
  await expect.element(screen.getByText("予約した面談はありません")).toBeVisible();
});

test("the link, the notes, a missed interview and a pause are shown", async () => {
  const join_url = "https://meet.konomana.example/takase";
  const joinable = interviewOf({ can_cancel: false, join_url });
  const { screen } = await open("/mypage/interview", {
    "GET desk/interview/": () => ({
      upcoming: [joinable, { ...interview, id: SLOT }],
      past: [
        { ...interview, id: "a", can_cancel: false, feedback: "移項から\n練習しましょう。" },
        { ...interview, id: "b", can_cancel: false, is_missed: true },
      ],
      upcoming_limit: 2,
      paused_until: null,
      child_name: null,
    }),
  });
  const join = screen.getByRole("link", { name: "面談に参加する" });
  await expect.element(join).toHaveAttribute("href", join_url);
  await expect.element(screen.getByText(/^同時に予約できるのは2件まで/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "面談を予約する" }))
    .not.toBeInTheDocument();
  await expect.element(screen.getByText("移項から 練習しましょう。")).toBeVisible();
  await expect.element(screen.getByText("欠席", { exact: true })).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);

  const paused = await open("/mypage/interview", {
    "GET desk/interview/": () => ({ ...noInterviews, paused_until: "2026-12-31T09:00:00Z" }),
  });
  await expect
    .element(paused.screen.getByText(/2026年12月31日\(木\) 18:00まで予約できません/))
    .toBeVisible();
});
