import type { MaintenanceInfo } from "@konomana/http";
import { answerFrom, type Answers, stubServer } from "@konomana/testing";
import type { MaintenanceWindow } from "./maintenanceApi";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "../App";
import { createQueries } from "../queryClient";
import { maintenanceStore } from "./maintenance-store";
import { MaintenanceScreen } from "./MaintenanceScreen";

const info: MaintenanceInfo = {
  title: "定期メンテナンス",
  message: "サーバーを入れかえています。",
  starts_at: "2026-11-21T00:00:00Z",
  ends_at: "2026-11-21T02:00:00Z",
  affected: ["Learning"],
};

const open: MaintenanceWindow = {
  ...info,
  name: "regular",
  scope: "Learning",
  mode: "Full",
  status_url: null,
  retry_after_seconds: null,
  active: true,
};

let windows: MaintenanceWindow[];

async function show() {
  const router = createMemoryRouter(
    [
      { path: "/maintenance", Component: MaintenanceScreen },
      { path: "/course", element: <h1>もとのページ</h1> },
      { path: "/", element: <h1>TOPのページ</h1> },
    ],
    { initialEntries: ["/maintenance"] },
  );
  await render(
    <QueryClientProvider client={createQueries()}>
      <App>
        <RouterProvider router={router} />
      </App>
    </QueryClientProvider>,
  );
  return router;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  vi.setSystemTime(new Date("2026-11-21T00:59:58Z"));
  windows = [open];
  const answers: Answers = { "GET maintenance/": () => ({ windows }) };
  stubServer((call) => answerFrom(answers, call));
});

afterEach(() => {
  maintenanceStore.leave();
  vi.useRealTimers();
});

test("spec §2: /maintenance shows maintenance information taken from the error response", async () => {
  maintenanceStore.enter(info, "/course?page=2");
  await show();
  await expect.element(page.getByRole("heading", { name: "定期メンテナンス" })).toBeVisible();
  await expect.element(page.getByText("サーバーを入れかえています。")).toBeVisible();
  await expect.element(page.getByText("2026年11月21日(土) 11:00")).toBeVisible();
});

test("it counts down", async () => {
  maintenanceStore.enter(info, "/course");
  await show();
  const clock = page.getByRole("timer");
  await expect.element(clock).toHaveTextContent("1:00:02");
  vi.advanceTimersByTime(3000);
  await expect.element(clock).toHaveTextContent("59:59");
});

test("when it is over, the previous page opens by itself", async () => {
  maintenanceStore.enter(info, "/course?page=2");
  windows = [{ ...open, title: "メンテナンスを延長しています" }];
  const router = await show();
  await expect.element(page.getByText("メンテナンスを延長しています")).toBeVisible();
  windows = [];
  vi.advanceTimersByTime(15_000);
  await expect.element(page.getByRole("heading", { name: "もとのページ" })).toBeVisible();
  expect(router.state.location).toMatchObject({ pathname: "/course", search: "?page=2" });
  expect(maintenanceStore.get().maintenanceInfo).toBeNull();
});

test("spec §3: Maintenance state: maintenanceInfo, the body of the 503 response; it outlives a reload", () => {
  maintenanceStore.enter(info, "/course");
  expect(maintenanceStore.get()).toEqual({ maintenanceInfo: info, returnTo: "/course" });
  expect(sessionStorage.getItem("konomana.maintenance")).toContain("定期メンテナンス");
});

test("a second 503 on the maintenance page keeps the return path", () => {
  maintenanceStore.enter(info, "/course");
  maintenanceStore.enter({ ...info, title: "延長" }, "/maintenance");
  expect(maintenanceStore.get()).toMatchObject({
    returnTo: "/course",
    maintenanceInfo: { title: "延長" },
  });
});

test("without a maintenance the page says that the site is open", async () => {
  windows = [];
  await show();
  await expect.element(page.getByText("メンテナンスは行っていません")).toBeVisible();
  await page.getByRole("link", { name: "TOPへ", exact: true }).click();
  await expect.element(page.getByRole("heading", { name: "TOPのページ" })).toBeVisible();
});
