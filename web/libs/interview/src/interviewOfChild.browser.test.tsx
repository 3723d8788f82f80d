import { signInAt } from "@konomana/session/testing";
import { type Answers, done, learner, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import type { InterviewHold, Interviews } from "./interviewCalls";
import { screens } from "./interviewScreens";
import { interviewOf, noInterviews } from "./interviewTesting";

const CHILD = "01936f2a-4c00-7a31-8b52-1f6d0c9e4c00";
const SLOT = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b00";
const guardian = { ...learner, scope: ["guardian"] };
const meeting = interviewOf({ kind: 3, kind_name: "三者面談" });
const slot = {
  id: SLOT,
  starts_at: meeting.starts_at,
  ends_at: meeting.ends_at,
  teacher: meeting.teacher,
};

async function open(address: string, answers: Answers, user = guardian) {
  const { calls, queries } = signInAt(address, answers, user);
  const routes = await Promise.all(
    screens.map(async ({ pattern, component }) => ({
      path: pattern,
      Component: await component(),
    })),
  );
  const router = createMemoryRouter(routes, { initialEntries: [address] });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { screen, calls, router, queries };
}

const ofChild = (given: Partial<Interviews> = {}): Interviews => ({
  ...noInterviews,
  child_name: "木下 葵",
  ...given,
});

test("a guardian books, changes and cancels for the child, whose account is in every call", async () => {
  let hold: InterviewHold | null = null;
  let upcoming = [meeting];
  const { screen, calls, router } = await open(`/mypage/interview?child=${CHILD}`, {
    "GET desk/interview/kind/": () => ({ results: [{ id: 3, name: "三者面談", free_slots: 1 }] }),
    "GET desk/interview/kind/3/slot/": () => ({
      kind_name: "三者面談",
      monday: "2026-11-30",
      slots: [slot],
      has_previous: false,
      has_next: false,
      hold,
    }),
    "PUT desk/interview/slot/{id}/hold/": ({ body }) => {
      const held_until = new Date(Date.now() + 300_000).toISOString();
      hold = { slot, kind: 3, held_until, replaces: body.replaces ?? null };
      return hold;
    },
    "POST desk/interview/": () => {
      hold = null;
      return { id: meeting.id };
    },
    "GET desk/interview/{id}/": () => meeting,
    "GET desk/interview/": () => ofChild({ upcoming }),
    "DELETE desk/interview/{id}/": () => {
      upcoming = [];
      return done();
    },
  });
  const title = screen.getByRole("heading", { level: 1, name: "木下 葵さんの面談" });
  await expect.element(title).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("link", { name: /の面談の日時を変える$/ }).click();
  await screen.getByRole("button", { name: /18:00 高瀬航先生$/ }).click();
  await screen.getByRole("button", { name: "予約する", exact: true }).click();
  await expect.element(screen.getByText(/お子さまと保護者の方に、メール/)).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);

  await screen.getByRole("link", { name: "面談のページへ" }).click();
  await screen.getByRole("link", { name: "面談を予約する" }).click();
  await screen.getByRole("link", { name: "三者面談" }).click();
  await expect.element(screen.getByRole("button", { name: /18:00 高瀬航先生$/ })).toBeVisible();
  expect(router.state.location.search).toBe(`?child=${CHILD}`);
  await screen.getByRole("link", { name: "← 面談の種類" }).click();
  await screen.getByRole("link", { name: "← 面談" }).click();
  await screen.getByRole("button", { name: /の面談をキャンセルする$/ }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "キャンセルする" }).click();
  await expect.element(screen.getByText("予約した面談はありません")).toBeVisible();
  expect(calls.filter(({ query }) => query.get("child") !== CHILD)).toEqual([]);
  expect(calls.map(({ method }) => method)).toEqual(
    expect.arrayContaining(["PUT", "POST", "DELETE"]),
  );
});

test("the guardian joins the meeting of three only, and what was loaded goes with the link", async () => {
  let isLinked = true;
  const { screen, queries } = await open(`/mypage/interview?child=${CHILD}`, {
    "GET desk/interview/": () =>
      isLinked
        ? ofChild({
            upcoming: [
              { ...meeting, id: CHILD, join_url: "https://meet.example/takase" },
              { ...meeting, id: SLOT },
              interviewOf(),
            ],
          })
        : problem(404, "NOT_FOUND"),
  });
  await expect.element(screen.getByRole("link", { name: "面談に参加する" })).toBeVisible();
  await expect.element(screen.getByText(/^開始の10分前になると/)).toBeVisible();
  await expect.element(screen.getByText(/^お子さまと先生の1対1の面談です。/)).toBeVisible();
  isLinked = false;
  await queries.invalidateQueries();
  await expect.element(screen.getByText("木下 葵さんの面談")).not.toBeInTheDocument();
  await expect.element(screen.getByText(/高瀬航先生/)).not.toBeInTheDocument();
});

test("the page after the booking promises a guardian the button only for the meeting of three", async () => {
  for (const [kind, count] of [
    [1, 0],
    [3, 1],
  ] as const) {
    const address = `/mypage/interview/register/complete/${SLOT}?child=${CHILD}`;
    const answers = { "GET desk/interview/{id}/": () => ({ ...meeting, id: SLOT, kind }) };
    const { screen } = await open(address, answers);
    await expect.element(screen.getByText("参加のしかた")).toBeVisible();
    expect(screen.getByText(/「面談に参加する」ボタンが出ます/).elements()).toHaveLength(count);
    await screen.unmount();
  }
});

test("without a child, a guardian is sent to choose one, and no call is made", async () => {
  for (const address of ["/mypage/interview", "/mypage/interview/register/1"]) {
    const { screen, calls } = await open(address, {});
    await expect.element(screen.getByText("お子さまをえらんでください")).toBeVisible();
    expect(await pageFaults(screen.container)).toEqual([]);
    expect(calls).toEqual([]);
    await screen.unmount();
  }
  const { screen } = await open("/mypage/interview", {}, { ...learner, scope: ["staff:support"] });
  await expect.element(screen.getByText("お子さまをえらんでください")).not.toBeInTheDocument();
});
