import { visitorCart } from "@konomana/cart";
import { learner } from "@konomana/testing";
import { type Layout, layouts } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import axe from "axe-core";
import { createMemoryRouter, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "../../App";
import { Root } from "../Root";
import { layoutRoute } from ".";

async function show(name: Layout, handle = {}) {
  const screens = [
    { path: "/", element: <h1>本文の見出し</h1>, handle },
    { path: "/course", element: <h1>つぎの見出し</h1> },
  ];
  const router = createMemoryRouter([
    { Component: Root, children: [{ ...layoutRoute(name), children: screens } as RouteObject] },
  ]);
  const screen = await render(
    <App>
      <RouterProvider router={router} />
    </App>,
  );
  await expect.element(page.getByRole("main").last()).toBeVisible();
  return screen;
}

afterEach(() => {
  sessionStore.reset();
  vi.useRealTimers();
});

describe("spec §2: layouts: default, mypage, custom, lecture, lecturev2, test, and none", () => {
  test("there are these seven", () => {
    expect(layouts).toEqual([
      "default",
      "mypage",
      "custom",
      "lecture",
      "lecturev2",
      "test",
      "none",
    ]);
  });

  test.each(layouts)("%s holds the screen in one main, without a fault", async (name) => {
    await page.viewport(320, 640);
    const { container } = await show(name);
    await expect.element(page.getByRole("main")).toHaveTextContent("本文の見出し");
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    const { violations } = await axe.run(container);
    expect(violations.map(({ id }) => id)).toEqual([]);
  });
});

test("default has a header and a footer", async () => {
  await page.viewport(1280, 800);
  await show("default");
  await expect.element(page.getByRole("banner")).toBeVisible();
  await expect.element(page.getByRole("contentinfo")).toBeVisible();
  await expect
    .element(
      page.getByRole("navigation", { name: "サイト" }).getByRole("link", { name: "ログイン" }),
    )
    .toBeVisible();
});

test("on a phone the links are in a drawer, which closes when a link is followed", async () => {
  await page.viewport(360, 740);
  await show("default");
  await expect.element(page.getByRole("link", { name: "ログイン" })).not.toBeInTheDocument();
  await page.getByRole("button", { name: "メニューを開く" }).click();
  const drawer = page.getByRole("dialog", { name: "メニュー" });
  await expect.element(drawer).toBeVisible();
  await drawer.getByRole("link", { name: "講座をさがす" }).click();
  await expect.element(page.getByRole("heading", { name: "つぎの見出し" })).toBeVisible();
  await expect.element(drawer).not.toBeInTheDocument();
});

test("Back closes the drawer, and the page stays", async () => {
  await page.viewport(360, 740);
  await show("default");
  const opener = page.getByRole("button", { name: "メニューを開く" });
  const drawer = page.getByRole("dialog", { name: "メニュー" });
  const before = history.length;
  await opener.click();
  await expect.element(drawer).toBeVisible();
  history.back();
  await expect.element(drawer).not.toBeInTheDocument();
  await expect.element(page.getByRole("heading", { name: "本文の見出し" })).toBeVisible();

  // When it is closed otherwise, it leaves no history entry.
  await opener.click();
  await drawer.getByRole("button", { name: "メニューを閉じる" }).click();
  await expect.element(drawer).not.toBeInTheDocument();
  expect(history.length).toBe(before + 1);
});

test("the header shows the number in a visitor's cart and fits 320 px with text of 200 %", async () => {
  onTestFinished(() => {
    visitorCart.forget(visitorCart.get());
    document.documentElement.style.fontSize = "";
  });
  for (let product = 1; product <= 20; product++) visitorCart.add(product);
  await page.viewport(320, 640);
  await show("default");
  document.documentElement.style.fontSize = "200%";
  const header = page.getByRole("banner");
  const cart = header.getByRole("link", { name: "カート 20件" });
  await expect.element(cart).toHaveAttribute("href", "/cart");
  let end = 0;
  for (const part of [
    header.getByRole("link", { name: "コノマナ TOPへ" }),
    header.getByRole("button", { name: "サイト内を検索" }),
    cart,
    header.getByRole("button", { name: "メニューを開く" }),
  ]) {
    const { left, right } = part.element().getBoundingClientRect();
    expect(left).toBeGreaterThanOrEqual(end);
    end = right;
  }
  expect(end).toBeLessThanOrEqual(320);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
});

test("staff have no cart in the header", async () => {
  sessionStore.signIn({ ...learner, scope: ["staff:support"] });
  await show("default");
  await expect.element(page.getByRole("banner")).toBeVisible();
  await expect.element(page.getByRole("link", { name: /^カート/ })).not.toBeInTheDocument();
});

test("mypage has its menu at the side, on a phone at the bottom", async () => {
  sessionStore.signIn(learner);
  await page.viewport(1280, 800);
  await show("mypage");
  const menu = page.getByRole("navigation", { name: "マイページ" });
  await expect.element(menu.getByRole("link", { name: "所有講座" })).toBeVisible();
  expect(menu.element().getBoundingClientRect().right).toBeLessThan(500);
  await page.viewport(360, 740);
  expect(menu.element().getBoundingClientRect().bottom).toBe(740);
});

test("the bar of a phone has five places, the side menu and the phone's drawer have all", async () => {
  sessionStore.signIn(learner);
  await page.viewport(1280, 800);
  await show("mypage");
  const menu = page.getByRole("navigation", { name: "マイページ" });
  const shown = () => menu.getByRole("link").all().length;
  expect(shown()).toBe(15);
  await page.viewport(320, 640);
  expect(shown()).toBe(5);
  for (const link of menu.getByRole("link").elements())
    expect(link.getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  await page.getByRole("button", { name: "メニューを開く" }).click();
  const drawer = page.getByRole("dialog", { name: "メニュー" });
  for (const name of [
    "お知らせ",
    "最近見た",
    "問題の結果",
    "模試",
    "クラス",
    "イベント",
    "あとで見る",
    "お気に入り",
    "ご注文履歴",
    "クーポン",
  ])
    await expect.element(drawer.getByRole("link", { name, exact: true })).toBeInTheDocument();
});

test("a visitor on a public page sees the login and no logout", async () => {
  await page.viewport(1280, 800);
  await show("mypage");
  const menu = page.getByRole("navigation", { name: "マイページ" });
  await expect.element(menu.getByRole("link", { name: "最近見た" })).toBeVisible();
  await expect.element(menu.getByRole("link", { name: "ログイン" })).toBeVisible();
  await expect.element(menu.getByRole("button", { name: "ログアウト" })).not.toBeInTheDocument();
});

test("custom has no navigation, and a clock", async () => {
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  vi.setSystemTime(new Date("2026-11-21T00:30:05Z"));
  await show("custom");
  const clock = page.getByLabelText("いまの時刻");
  await expect.element(clock).toHaveTextContent("09:30:05");
  vi.advanceTimersByTime(2000);
  // The time is fixed from here on, so the check does not depend on its duration.
  vi.useRealTimers();
  await expect.element(clock).toHaveTextContent("09:30:07");
  await expect.element(page.getByRole("navigation")).not.toBeInTheDocument();
});

test("custom shows the screen's own clock", async () => {
  await show("custom", { Beside: () => <p>残り 45:15</p> });
  await expect.element(page.getByText("残り 45:15")).toBeVisible();
  await expect.element(page.getByLabelText("いまの時刻")).not.toBeInTheDocument();
});

test.each(["lecture", "lecturev2"] as const)(
  "%s shows the screen's second column beside it",
  async (name) => {
    await page.viewport(1280, 800);
    await show(name, { Beside: () => <p>となりの内容</p> });
    const main = page.getByRole("main").element().getBoundingClientRect();
    const beside = page.getByRole("complementary");
    await expect.element(beside).toHaveTextContent("となりの内容");
    expect(beside.element().getBoundingClientRect().left).toBeGreaterThanOrEqual(main.right);
  },
);

test("a lesson on a phone in landscape uses the window without a header", async () => {
  await page.viewport(740, 360);
  await show("lecture", { Beside: () => <p>となりの内容</p> });
  await expect.element(page.getByRole("banner")).not.toBeInTheDocument();
  expect(page.getByRole("main").element().getBoundingClientRect().top).toBe(0);
  await page.viewport(360, 740);
  await expect.element(page.getByRole("banner")).toBeVisible();
});

test("the layout test is narrow and plain", async () => {
  await page.viewport(1280, 800);
  await show("test");
  expect(page.getByRole("main").element().getBoundingClientRect().width).toBeLessThan(800);
  await expect.element(page.getByRole("navigation")).not.toBeInTheDocument();
});

test("none renders only the screen", async () => {
  await show("none");
  await expect.element(page.getByRole("banner")).not.toBeInTheDocument();
});

test("the first tab stop skips the navigation", async () => {
  await show("default");
  const skip = page.getByRole("link", { name: "本文へ移動" });
  (skip.element() as HTMLElement).focus();
  expect(skip.element().getBoundingClientRect().top).toBeGreaterThanOrEqual(0);
  await expect.element(skip).toHaveAttribute("href", `#${page.getByRole("main").element().id}`);
});

test("after a navigation the focus moves to the content", async () => {
  await page.viewport(1280, 800);
  await show("default");
  await page.getByRole("banner").getByRole("link", { name: "講座をさがす" }).click();
  await expect.element(page.getByRole("heading", { name: "つぎの見出し" })).toBeVisible();
  await expect.element(page.getByRole("main")).toHaveFocus();
});

test("the canonical address follows the navigation", async () => {
  await page.viewport(1280, 800);
  const link = document.createElement("link");
  link.rel = "canonical";
  link.href = "https://www.konomana.example/";
  document.head.append(link);
  onTestFinished(() => link.remove());
  await show("default");
  await page.getByRole("banner").getByRole("link", { name: "講座をさがす" }).click();
  await expect.element(page.getByRole("heading", { name: "つぎの見出し" })).toBeVisible();
  await expect.poll(() => link.href).toBe("https://www.konomana.example/course");
});

test("a page shows its breadcrumbs, and none while its data is missing", async () => {
  await show("default", { screen: { crumbs: () => [{ label: "講座をさがす", to: "/course" }] } });
  const way = page.getByRole("navigation", { name: "パンくずリスト" });
  await expect.element(way.getByText("講座をさがす")).toHaveAttribute("aria-current", "page");
  await show("default", {
    screen: { crumbs: ({ name }: { name: string }) => [{ label: name, to: "/" }] },
  });
  await expect.element(page.getByRole("banner").last()).toBeVisible();
  expect(way.all()).toHaveLength(1);
});
