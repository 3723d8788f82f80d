import { type Answers, learner, problem } from "@konomana/testing";
import { signInAt } from "@konomana/session/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, Outlet, RouterProvider } from "react-router";
import { expect, onTestFinished, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { Child, EventEntry, SchoolEvent } from "./schoolEventCalls";
import { SchoolEventScreen } from "./SchoolEventScreen";
import { SchoolEventsScreen } from "./SchoolEventsScreen";

const ENTRY = "018f0000-0000-7000-8000-00000000000a";

const free: SchoolEvent = {
  id: 1,
  title: "夏期講習",
  summary: "夏休みのはじめの1日で、1学期のつまずきを先生といっしょに見つけます。",
  description: "## 準備していただくもの\n\n- 1学期のノートと、まちがえたテスト",
  place: "コノマナ本校 3階ホール（東京都千代田区）と、オンライン",
  starts_at: "2027-07-24T01:00:00Z",
  ends_at: "2027-07-24T06:30:00Z",
  sign_up_until: "2027-07-21T14:59:00Z",
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
const full: SchoolEvent = { ...free, places_left: 0, waiting: 2 };

function entryOf(state: EventEntry["state"], more: Partial<EventEntry> = {}): EventEntry {
  const at = "2027-06-01T00:00:00Z";
  return {
    id: ENTRY,
    participant: learner.id,
    state,
    position: null,
    offer_until: null,
    created_at: at,
    changed_at: at,
    ...more,
  };
}

const offered = entryOf("offered", { offer_until: "2027-07-02T03:00:00Z" });
const child: Child = {
  id: "018f0000-0000-7000-8000-000000000009",
  link_id: "018f0000-0000-7000-8000-0000000000f9",
  name: "木下 空",
  school_year: "中2",
  since: "2026-04-01T00:00:00Z",
  guardian_consent: "not_needed",
};

/** A server with one event, which a test changes. */
function schoolOf(event: SchoolEvent) {
  const school = { event };
  const withEntry = (entry: EventEntry) => {
    const others = school.event.entries.filter(
      ({ participant }) => participant !== entry.participant,
    );
    school.event = { ...school.event, entries: [...others, entry] };
    return school.event;
  };
  const answers: Answers = {
    "GET desk/event/": () => ({ results: [school.event] }),
    "GET desk/event/1/": () => school.event,
    "POST desk/event/1/entry/": ({ body }) => {
      const participant = body.child ?? learner.id;
      const isFull = school.event.places_left === 0;
      return withEntry(
        isFull
          ? entryOf("waiting", { participant, position: 3 })
          : entryOf("signed_up", { participant }),
      );
    },
    "POST desk/event/entry/{id}/accept/": () => withEntry(entryOf("signed_up")),
    "DELETE desk/event/entry/{id}/": () => withEntry(entryOf("cancelled")),
    "GET accounts/guardian/children/": () => ({ results: [child] }),
  };
  return { school, answers };
}

async function open(address: string, answers: Answers, scope = ["learner"]) {
  const { calls, queries } = signInAt(address, answers, { ...learner, scope });
  const router = createMemoryRouter(
    [
      {
        element: (
          <main tabIndex={-1}>
            <Outlet />
          </main>
        ),
        children: [
          { path: "/mypage/event", Component: SchoolEventsScreen },
          { path: "/mypage/event/:id", Component: SchoolEventScreen },
        ],
      },
    ],
    { initialEntries: [address] },
  );
  const screen = await render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { screen, calls };
}

test("the list leads to an event, where the keyboard signs up", async () => {
  const { screen, calls } = await open("/mypage/event", schoolOf(free).answers);
  const row = screen.getByRole("list", { name: "イベントの一覧" }).getByRole("listitem");
  await expect.element(row.getByText("あと3席")).toBeVisible();
  await expect.element(row.getByText("2027年7月24日(土) 10:00〜15:30")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("link", { name: "夏期講習" }).click();
  await expect.element(screen.getByRole("heading", { level: 1, name: "夏期講習" })).toBeVisible();
  const button = screen.getByRole("button", { name: "申し込む", exact: true });
  await expect.element(button).toBeVisible();
  (button.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const state = screen.getByRole("status").filter({ hasText: "申し込み済みです" });
  await expect.element(state).toHaveFocus();
  await expect.element(screen.getByText("申し込み済み", { exact: true })).toBeVisible();
  expect(calls.find(({ method }) => method === "POST")?.body).toEqual({ child: null });
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("a full event has a waiting list, and the position is told in words", async () => {
  const { screen } = await open("/mypage/event/1", schoolOf(full).answers);
  await expect.element(screen.getByText("満席・2人がキャンセル待ち")).toBeVisible();
  await screen.getByRole("button", { name: "キャンセル待ちに申し込む" }).click();
  await expect.element(screen.getByText(/^キャンセル待ちの3番目です/)).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "キャンセル待ちをやめる" }))
    .toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("who loses the last place is told that they wait", async () => {
  const { school, answers } = schoolOf({ ...free, places_left: 1 });
  const { screen } = await open("/mypage/event/1", answers);
  await expect.element(screen.getByText("あと1席", { exact: true })).toBeVisible();
  school.event = full;
  await screen.getByRole("button", { name: "申し込む", exact: true }).click();
  await expect.element(screen.getByText(/^キャンセル待ちの3番目です/)).toBeVisible();
});

test("an offer has its time limit, and is accepted or declined", async () => {
  const { school, answers } = schoolOf({ ...full, entries: [offered] });
  const { screen } = await open("/mypage/event/1", answers);
  await expect.element(screen.getByText(/2027年7月2日\(金\) 12:00までに/)).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("button", { name: "参加しない" }).click();
  const dialog = screen.getByRole("dialog", { name: "参加しないで、席をゆずりますか？" });
  await dialog.getByRole("button", { name: "やめる" }).click();
  expect(school.event.entries).toEqual([offered]);
  await screen.getByRole("button", { name: "参加する" }).click();
  await expect.element(screen.getByText(/^申し込み済みです/)).toBeVisible();
});

test("an offer that has expired meanwhile is refused in words, and the new state is loaded", async () => {
  const { school, answers } = schoolOf({ ...full, entries: [offered] });
  answers["POST desk/event/entry/{id}/accept/"] = () => {
    school.event = { ...full, entries: [entryOf("lapsed")] };
    return problem(409, "OFFER_ENDED");
  };
  const { screen } = await open("/mypage/event/1", answers);
  await screen.getByRole("button", { name: "参加する" }).click();
  await expect
    .element(screen.getByRole("alert").getByText(/^席のご案内は終わりました/))
    .toBeVisible();
  await expect.element(screen.getByText(/^ご案内した席は、お返事の期限が過ぎました/)).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "キャンセル待ちに申し込む" }))
    .toBeVisible();
});

test("cancelling asks first, and the calendar file has the event", async () => {
  const saved = vi.spyOn(URL, "createObjectURL");
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { answers } = schoolOf({ ...free, revision: 2, entries: [entryOf("signed_up")] });
  const { screen } = await open("/mypage/event/1", answers);
  await screen.getByRole("button", { name: "カレンダーに入れる" }).click();
  const blob = saved.mock.calls[0]?.[0];
  if (!(blob instanceof Blob)) throw new Error("no file was saved");
  const file = await blob.text();
  for (const line of [
    "UID:event-1-1@",
    "SEQUENCE:2",
    "DTSTART:20270724T010000Z",
    "LOCATION:コノマナ本校",
  ])
    expect(file).toContain(line);
  await screen.getByRole("button", { name: "申し込みを取り消す" }).click();
  const dialog = screen.getByRole("dialog", { name: "申し込みを取り消しますか？" });
  await dialog.getByRole("button", { name: "申し込みを取り消す" }).click();
  await expect.element(screen.getByText(/^申し込みを取り消しました/)).toBeVisible();
  await expect.element(screen.getByRole("main")).toHaveFocus();
});

test("a guardian signs a child up", async () => {
  const { screen, calls } = await open("/mypage/event/1", schoolOf(free).answers, ["guardian"]);
  const ofChild = screen.getByRole("group", { name: child.name });
  await ofChild.getByRole("button", { name: `${child.name}：申し込む` }).click();
  await expect.element(ofChild.getByText(/^申し込み済みです/)).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "ご本人：申し込む" })).toBeVisible();
  expect(calls.find(({ method }) => method === "POST")?.body).toEqual({ child: child.id });
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("after the end there are the materials, and no buttons", async () => {
  const { screen } = await open(
    "/mypage/event/1",
    schoolOf({
      ...free,
      can_sign_up: false,
      can_cancel: false,
      materials: "[所有講座](/mypage/course)にあります。",
      entries: [entryOf("signed_up")],
    }).answers,
  );
  const materials = screen.getByRole("region", { name: "当日の資料" });
  await expect.element(materials.getByRole("link", { name: "所有講座" })).toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});

test("after the deadline nobody signs up, and staff only read", async () => {
  const closed = await open("/mypage/event/1", schoolOf({ ...free, can_sign_up: false }).answers);
  await expect
    .element(closed.screen.getByText("受け付けは終わりました。", { exact: true }))
    .toBeVisible();
  await expect.element(closed.screen.getByRole("button")).not.toBeInTheDocument();
  await closed.screen.unmount();
  const staff = await open("/mypage/event/1", schoolOf(free).answers, ["staff:support"]);
  await expect.element(staff.screen.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(staff.screen.getByRole("button")).not.toBeInTheDocument();
});
