import type { MaintenanceWindow } from "./maintenanceApi";
import axe from "axe-core";
import type { Layout } from "@konomana/screens";
import { answerFrom, type Answers, problem, stubServer } from "@konomana/testing";
import { createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "../App";
import { Root } from "../shell/Root";
import { layoutRoute } from "../shell/layouts";

const night: MaintenanceWindow = {
  name: "night",
  scope: "Learning",
  mode: "Full",
  title: "システムメンテナンスのお知らせ",
  message: "データベースを入れかえます。",
  starts_at: "2026-11-21T17:00:00Z",
  ends_at: "2026-11-21T19:00:00Z",
  affected: ["Learning"],
  status_url: "https://status.konomana.example/",
  retry_after_seconds: null,
  active: false,
};

let windows: MaintenanceWindow[];

function show(layout: Layout = "default", at = "/") {
  const screens = ["/", "/course", "/maintenance"].map((path) => ({
    path,
    element: <h1>{path}</h1>,
  }));
  const router = createMemoryRouter(
    [{ Component: Root, children: [{ ...layoutRoute(layout), children: screens } as RouteObject] }],
    { initialEntries: [at] },
  );
  return render(
    <App>
      <RouterProvider router={router} />
    </App>,
  );
}

const notice = page.getByRole("region", { name: "メンテナンスの予告" });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  vi.setSystemTime(new Date("2026-11-21T16:58:30Z"));
  windows = [night];
  const answers: Answers = { "GET maintenance/": () => ({ windows }) };
  stubServer((call) => answerFrom(answers, call));
});

afterEach(() => {
  localStorage.clear();
  vi.useRealTimers();
});

test("a planned maintenance is announced in Tokyo time", async () => {
  await show();
  await expect.element(notice).toBeVisible();
  await expect
    .element(
      notice.getByText(
        "2026年11月22日(日) 02:00から2026年11月22日(日) 04:00まで、マイページと学習の記録をご利用いただけません。",
      ),
    )
    .toBeVisible();
  await expect
    .element(notice.getByRole("link", { name: "くわしく見る" }))
    .toHaveAttribute("href", "https://status.konomana.example/");
});

test.each([
  [360, 740, "mypage"],
  [1280, 800, "default"],
] as const)("at %d × %d it has no layout shift and no fault", async (width, height, layout) => {
  await page.viewport(width, height);
  windows = [];
  const first = await show(layout);
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  const before = page.getByRole("heading", { level: 1 }).element().getBoundingClientRect().top;
  await first.unmount();
  windows = [night];
  const { container } = await show(layout);
  await expect.element(notice).toBeVisible();
  const heading = page.getByRole("heading", { level: 1 }).element();
  expect(heading.getBoundingClientRect().top).toBe(before);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
  const box = notice.element().getBoundingClientRect();
  expect(box.left).toBeGreaterThanOrEqual(0);
  expect(box.right).toBeLessThanOrEqual(width);
  const menu = page
    .getByRole("navigation", { name: "マイページ" })
    .query()
    ?.getBoundingClientRect();
  expect(box.bottom).toBeLessThanOrEqual(menu !== undefined && width < 960 ? menu.top : height);
  const { violations } = await axe.run(container);
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("a dismissed notice stays dismissed until its time changes", async () => {
  const first = await show();
  await notice.getByRole("button", { name: "予告を閉じる" }).click();
  await expect.element(notice).not.toBeInTheDocument();
  await first.unmount();
  windows = [night, { ...night, name: "other", title: "別のお知らせ" }];
  const second = await show();
  await expect.element(notice.getByText("別のお知らせ")).toBeVisible();
  await second.unmount();
  windows = [{ ...night, ends_at: "2026-11-21T20:00:00Z" }];
  await show();
  await expect.element(notice.getByText("2026年11月22日(日) 05:00")).toBeVisible();
});

test("it disappears when the maintenance begins", async () => {
  await show();
  await expect.element(notice).toBeVisible();
  vi.advanceTimersByTime(120_000);
  await expect.element(notice).not.toBeInTheDocument();
});

test("the maintenance page announces no other maintenance, and a silent server none", async () => {
  const first = await show("none", "/maintenance");
  await expect.element(page.getByRole("heading", { name: "/maintenance" })).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
  await first.unmount();
  stubServer(() => problem(502, "UPSTREAM_UNAVAILABLE"));
  await show();
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(notice).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).toHaveTextContent("");
});
