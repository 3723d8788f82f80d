import { connectApi } from "@konomana/http";
import { sessionStore, type User } from "@konomana/session";
import { answerFrom, type Answers, learner, problem, stubServer } from "@konomana/testing";
import { alertStore } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import type { ReactNode } from "react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { expect, onTestFinished, test } from "vitest";
import { render } from "vitest-browser-react";
import { applicationOf, examOf, inDays } from "./examCardTesting";
import { MyExams } from "./MyExams";
import { UpcomingExams } from "./UpcomingExams";

const LIST = "GET exam/exam/";
const MINE = "GET exam/application/";

function show(content: ReactNode, user: User | null, answers: Answers) {
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  stubServer((call) => answerFrom(answers, call));
  if (user !== null) sessionStore.signIn(user);
  onTestFinished(() => {
    localStorage.clear();
    sessionStore.reset();
    alertStore.set(alertStore.initial);
  });
  const router = createMemoryRouter([{ path: "*", element: <main>{content}</main> }]);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}

const pageOf = (...results: ReturnType<typeof examOf>[]) => ({
  count: results.length,
  next: null,
  previous: null,
  results,
});

test("an exam shows the built data, then the current data", async () => {
  const built = [examOf({ seats_left: 120 })];
  const screen = await show(<UpcomingExams built={built} />, null, {
    [LIST]: () => pageOf(examOf({ seats_left: 7 })),
  });
  await expect.element(screen.getByText("あと7人")).toBeVisible();
  await expect.element(screen.getByText("無料", { exact: true })).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "ログインして申し込む（無料）" }))
    .toHaveAttribute("href", "/mypage/mockexam/1");
  const { violations } = await axe.run(screen.container);
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("when the server can't be reached, the built data stays", async () => {
  const screen = await show(<UpcomingExams built={[examOf()]} />, null, {
    [LIST]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await expect.element(screen.getByRole("heading", { name: "コノ模試 第1回" })).toBeVisible();
});

test("a visitor adds an exam with a price to the cart", async () => {
  const sold = examOf({ id: 2, product_id: 2301, price: 4400, seats_left: 30 });
  const screen = await show(<UpcomingExams built={[sold]} />, null, { [LIST]: () => pageOf(sold) });
  await expect.element(screen.getByText("4,400円（税込）")).toBeVisible();
  await screen.getByRole("button", { name: /カートに入れる/ }).click();
  await expect.element(screen.getByRole("link", { name: /カートを見る/ })).toBeVisible();
});

test("a learner with a seat is linked to the sheet", async () => {
  const screen = await show(<UpcomingExams built={[examOf()]} />, learner, {
    [LIST]: () => pageOf(examOf()),
    [MINE]: () => ({ results: [applicationOf()] }),
  });
  await expect
    .element(screen.getByRole("link", { name: "申込済み：準備のページへ" }))
    .toHaveAttribute("href", "/mypage/mockexam/1");
});

test("a guardian sees who can apply", async () => {
  const screen = await show(
    <UpcomingExams built={[examOf()]} />,
    { ...learner, scope: ["guardian"] },
    {
      [LIST]: () => pageOf(examOf()),
    },
  );
  await expect.element(screen.getByText(/お子さまのアカウントから/)).toBeVisible();
});

test("without an exam the page says where the next one is announced", async () => {
  const screen = await show(<UpcomingExams built={[]} />, null, { [LIST]: () => pageOf() });
  await expect.element(screen.getByText(/次の模試の日程は、決まりしだい/)).toBeVisible();
});

test("my page lists the learner's exams with their next step, then those open for application", async () => {
  const screen = await show(<MyExams />, learner, {
    [MINE]: () => ({
      results: [
        applicationOf({ exam: { id: 9, name: "終わった模試" }, state: "past", stage: "handed_in" }),
        applicationOf({
          exam: { id: 2, name: "コノ模試 第2回", application_closes_at: inDays(5) },
          state: "open",
          stage: "seat",
          has_seat: false,
        }),
        applicationOf({ stage: "device_check" }),
      ],
    }),
  });
  await expect.element(screen.getByText("次は：受ける端末を確かめる")).toBeVisible();
  const names = screen
    .getByRole("listitem")
    .elements()
    .map((row) => row.querySelector("a")?.text);
  expect(names).toEqual(["コノ模試 第1回", "コノ模試 第2回"]);
});

test("my page says that exams can't be loaded, and has no panel without exams", async () => {
  const second = Promise.withResolvers<{ results: [] }>();
  let fails = true;
  const screen = await show(<MyExams />, learner, {
    [MINE]: () => (fails ? problem(500, "INTERNAL") : second.promise),
  });
  const panel = screen.getByRole("region", { name: "コノ模試" });
  await expect.element(panel.getByRole("alert")).toBeVisible();
  fails = false;
  await panel.getByRole("button", { name: "もう一度試す" }).click();
  await expect.element(panel.getByRole("status")).toHaveTextContent("読み込んでいます");
  await expect.element(panel).toBeVisible();
  second.resolve({ results: [] });
  await expect.element(panel).not.toBeInTheDocument();
});
