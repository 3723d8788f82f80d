import { type Answers, problem } from "@konomana/testing";
import { signInAt } from "@konomana/session/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, Link, Outlet, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { render } from "vitest-browser-react";
import type { MemberNotice, MemberNoticeSummary } from "./memberNoticeCalls";
import { MemberNoticeScreen } from "./MemberNoticeScreen";
import { MemberNoticesScreen } from "./MemberNoticesScreen";
import { UnreadCount } from "./UnreadCount";

const unread: MemberNoticeSummary = {
  id: 18,
  category: "講座",
  title: "受講中の講座「中2国語 説明文と随筆の読み方」の確認問題を直しました",
  summary: "第2章の確認問題で、選択肢の1つの言い回しを書き直しました。",
  published_at: "2026-11-18T08:00:00Z",
  is_pinned: false,
  is_unread: true,
  is_personal: false,
};
const personal: MemberNoticeSummary = {
  ...unread,
  id: 1_000_000_000,
  category: "お知らせ",
  title: "三者面談の日程が決まりました",
  is_personal: true,
};
const pinned: MemberNoticeSummary = {
  ...unread,
  id: 1,
  category: "お知らせ",
  title: "年末年始のサポート窓口について",
  is_pinned: true,
  is_unread: false,
};

/** A server that keeps which notices are read, as two devices see it. */
function schoolOf(...notices: MemberNoticeSummary[]) {
  const read = new Set(notices.filter(({ is_unread }) => !is_unread).map(({ id }) => id));
  const seen = () => notices.map((notice) => ({ ...notice, is_unread: !read.has(notice.id) }));
  const markRead = (notice: MemberNoticeSummary): MemberNotice => {
    read.add(notice.id);
    const body =
      "## 直したところ\n\n- 選択肢の言い回し\n\n[所有講座](/mypage/course)から解き直せます。";
    return { ...notice, is_unread: false, body, modified_at: notice.published_at };
  };
  const answers: Answers = {
    "GET desk/notice/mine/unread/": () => ({
      unread: seen().filter(({ is_unread }) => is_unread).length,
    }),
    "GET desk/notice/mine/": () => ({
      count: notices.length,
      next: null,
      previous: null,
      results: seen().toSorted((one, other) => Number(other.is_unread) - Number(one.is_unread)),
    }),
  };
  for (const notice of notices)
    answers[`GET desk/notice/mine/${notice.id}/`] = () => markRead(notice);
  return { answers, read };
}

/** Opens the screens for a signed-in learner, with the count above them as in the menu. */
async function open(address: string, answers: Answers) {
  const { calls, queries } = signInAt(address, answers);
  const router = createMemoryRouter(
    [
      {
        element: (
          <>
            <nav>
              <Link to="/mypage/notice">
                お知らせ <UnreadCount />
              </Link>
            </nav>
            <main tabIndex={-1}>
              <Outlet />
            </main>
          </>
        ),
        children: [
          { path: "/mypage/notice", Component: MemberNoticesScreen },
          { path: "/mypage/notice/:id", Component: MemberNoticeScreen },
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
  return { screen, calls, queries };
}

test("an opened notice is read in the list and in the count at once", async () => {
  const { answers } = schoolOf(unread, personal, pinned);
  const { screen } = await open("/mypage/notice", answers);
  const menu = screen.getByRole("navigation").getByRole("link");
  await expect.element(menu).toHaveAccessibleName("お知らせ 未読2件");
  const rows = screen.getByRole("list", { name: "お知らせの一覧" }).getByRole("listitem");
  await expect.element(rows.first().getByText("未読", { exact: true })).toBeVisible();
  await expect.element(rows.nth(1).getByText("あなただけに", { exact: true })).toBeVisible();
  await expect.element(rows.nth(2).getByText("重要", { exact: true })).toBeVisible();
  await expect.element(rows.nth(2).getByText("未読", { exact: true })).not.toBeInTheDocument();
  expect(await pageFaults(screen.container)).toEqual([]);

  await screen.getByRole("link", { name: unread.title }).click();
  await expect.element(screen.getByRole("heading", { level: 1, name: unread.title })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "所有講座" })).toBeVisible();
  await expect.element(menu).toHaveAccessibleName("お知らせ 未読1件");
  expect(await pageFaults(screen.container)).toEqual([]);

  await screen.getByRole("link", { name: "← あなたへのお知らせ" }).click();
  await expect.element(rows.first().getByText(personal.title)).toBeVisible();
  await expect.element(rows.last().getByText("未読", { exact: true })).not.toBeInTheDocument();
});

test("a slow count from before the notice was read is not shown", async () => {
  const { answers } = schoolOf(unread, personal);
  const count = answers["GET desk/notice/mine/unread/"];
  const slow = Promise.withResolvers<{ unread: number }>();
  let asked = 0;
  answers["GET desk/notice/mine/unread/"] = (call) => {
    asked += 1;
    return asked === 1 ? slow.promise : (count?.(call) ?? problem(404, "NOT_FOUND"));
  };
  const { screen } = await open(`/mypage/notice/${unread.id}`, answers);
  await expect.element(screen.getByRole("heading", { level: 1, name: unread.title })).toBeVisible();
  slow.resolve({ unread: 2 });
  const menu = screen.getByRole("navigation").getByRole("link");
  await expect.element(menu).toHaveAccessibleName("お知らせ 未読1件");
});

test("what another device has read is read here at the return to the window", async () => {
  const { answers, read } = schoolOf(unread, pinned);
  const { screen } = await open("/mypage/notice", answers);
  const menu = screen.getByRole("navigation").getByRole("link");
  await expect.element(menu).toHaveAccessibleName("お知らせ 未読1件");
  read.add(unread.id);
  window.dispatchEvent(new Event("visibilitychange"));
  const rows = screen.getByRole("list", { name: "お知らせの一覧" }).getByRole("listitem");
  await expect.element(rows.first().getByText("未読", { exact: true })).not.toBeInTheDocument();
});

test("without unread notices, or without an answer, the menu shows no number", async () => {
  const { answers } = schoolOf(pinned);
  const { screen, calls } = await open("/mypage/notice", answers);
  await expect.poll(() => calls.map(({ path }) => path)).toContain("desk/notice/mine/unread/");
  const menu = screen.getByRole("navigation").getByRole("link");
  await expect.element(menu).toHaveAccessibleName("お知らせ");
  const failing = await open("/mypage/notice/1", {
    ...answers,
    "GET desk/notice/mine/unread/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
    "GET desk/notice/mine/1/": () => problem(404, "NOT_FOUND"),
  });
  await expect.element(failing.screen.getByText(/^ページがみつかりません/)).toBeVisible();
});

test("an empty list says what will be there", async () => {
  const { screen } = await open("/mypage/notice", schoolOf().answers);
  await expect.element(screen.getByText("お知らせはまだありません")).toBeVisible();
});
