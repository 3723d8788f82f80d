import type { Hit, HitKind, Suggestion } from "../api";
import { visitorCart } from "@konomana/cart";
import { productOf } from "@konomana/cart/testing";
import { answerFrom, type Answers, listOf, stubServer } from "@konomana/testing";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { SearchDialog } from "./SearchDialog";
import { loadSearch } from "./find";
import { SearchScreen } from "./SearchScreen";

const suggestions: Suggestion[] = [
  { kind: "course", id: 105, title: "中3数学 二次方程式と関数", course_id: null },
  { kind: "lesson", id: 7, title: "二次関数のグラフ", course_id: 108 },
];

/** The requests to the API, and its answers. */
let asked: string[];
let results: Hit[];
let counts: Record<HitKind, number>;
let products: ReturnType<typeof productOf>[];

beforeEach(() => {
  asked = [];
  results = [];
  products = [];
  counts = { course: 0, lesson: 0, teacher: 0, notice: 0, faq: 0 };
  const answers: Answers = {
    "GET commerce/product/": () => listOf(...products),
    "GET search/suggest/": ({ query }) => ({
      results: query.get("q") === "zz" ? [] : suggestions,
    }),
    "GET search/": () => ({ count: 0, next: null, previous: null, counts, results }),
  };
  stubServer((call) => {
    asked.push(decodeURIComponent(`/api/${call.path}${call.search}`));
    return answerFrom(answers, call);
  });
});
afterEach(() => {
  visitorCart.forget(visitorCart.get());
});

async function open(path: string) {
  const router = createMemoryRouter(
    [
      { path: "/search", Component: SearchScreen, loader: loadSearch },
      { path: "/dialog", element: <SearchDialog onClose={() => {}} /> },
      { path: "*", element: <h1>よそのページ</h1> },
    ],
    { initialEntries: [path] },
  );
  const screen = await render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <>
        <Alerts />
        <main>
          <RouterProvider router={router} />
        </main>
      </>
    </QueryClientProvider>,
  );
  return { ...screen, where: () => router.state.location };
}

const field = () => page.getByRole("combobox", { name: "サイト内を検索" });
const options = () => page.getByRole("option");

test("the dialog opens with the focus in its field, and suggests during typing", async () => {
  const { container } = await open("/dialog");
  await expect.element(field()).toHaveFocus();
  await userEvent.keyboard("二次");
  await expect.element(options().first().getByText("中3数学 二次方程式と関数")).toBeVisible();
  await expect.element(field()).toHaveAttribute("aria-expanded", "true");
  const { violations } = await axe.run(container, { resultTypes: ["violations"] });
  expect(violations.map(({ id }) => id)).toEqual([]);
});

test("the arrow keys cycle through suggestions and the text; Enter opens the selected one", async () => {
  const { where } = await open("/search");
  await field().fill("二次");
  await expect.element(options().first()).toBeVisible();
  const active = () => field().element().getAttribute("aria-activedescendant");
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  expect(document.getElementById(active() ?? "")?.textContent).toBe("二次関数のグラフレッスン");
  await userEvent.keyboard("{ArrowDown}");
  expect(active()).toBeNull();
  await userEvent.keyboard("{ArrowUp}");
  await expect.element(options().nth(1)).toHaveAttribute("aria-selected", "true");
  await userEvent.keyboard("{Enter}");
  expect(where()).toMatchObject({ pathname: "/course/108", hash: "#lesson-7" });
});

test("Escape closes the suggestions and keeps the text; a second Escape closes the dialog", async () => {
  await open("/dialog");
  await userEvent.keyboard("二次");
  await expect.element(options().first()).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(options().first()).not.toBeInTheDocument();
  await expect.element(field()).toHaveValue("二次");
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("dialog")).not.toBeInTheDocument();
});

test("Enter without a selection searches, but not for blanks", async () => {
  const { where } = await open("/search");
  await field().fill("　 ");
  await userEvent.keyboard("{Enter}");
  expect(where().search).toBe("");
  await field().fill("関数");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => where().search).toBe(`?q=${encodeURIComponent("関数")}`);
});

test("keys of an input method neither select nor search", async () => {
  const { where } = await open("/search");
  await field().fill("にじ");
  await expect.element(options().first()).toBeVisible();
  const press = (key: string) =>
    field()
      .element()
      .dispatchEvent(
        new KeyboardEvent("keydown", { key, isComposing: true, bubbles: true, cancelable: true }),
      );
  press("ArrowDown");
  press("Escape");
  press("Enter");
  expect(field().element().getAttribute("aria-activedescendant")).toBeNull();
  await expect.element(options().first()).toBeVisible();
  expect(where().search).toBe("");
});

test("a press on a suggestion opens it", async () => {
  const { where } = await open("/search");
  await field().fill("二次");
  await options().first().click();
  await expect.poll(() => where().pathname).toBe("/course/105");
});

test("results are grouped with their counts, and each kind can be shown alone", async () => {
  counts = { course: 1, lesson: 23, teacher: 0, notice: 0, faq: 0 };
  const nothing = { summary: "", course_id: null, course_name: null };
  results = [
    { ...nothing, kind: "course", id: 105, title: "中3数学 二次方程式と関数" },
    { kind: "lesson", id: 7, title: "グラフ", summary: "", course_id: 108, course_name: "高1数学" },
  ];
  await open("/search?q=関数");
  await expect.element(page.getByRole("status").getByText("24件見つかりました。")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: /^レッスン ?23件/ })).toBeVisible();
  await page.getByRole("link", { name: "レッスンをすべて見る（23件）" }).click();
  await expect
    .element(page.getByRole("link", { name: /^レッスン ?23$/ }))
    .toHaveAttribute("aria-current", "page");
  await page.getByRole("link", { name: "次へ" }).click();
  await expect.poll(() => asked.at(-1)).toBe("/api/search/?q=関数&kind=lesson&page=2");
});

test("an empty result suggests what to try", async () => {
  await open("/search?q=zz");
  await expect
    .element(page.getByRole("heading", { name: "「zz」は見つかりませんでした" }))
    .toBeVisible();
  await expect.element(page.getByText(/ひらがなで書く/)).toBeVisible();
});

test("a found course shows its price and can be added to the cart", async () => {
  results = [
    { kind: "course", id: 105, title: "中3数学", summary: "", course_id: null, course_name: null },
    { kind: "course", id: 106, title: "中3英語", summary: "", course_id: null, course_name: null },
  ];
  counts = { ...counts, course: 2 };
  products = [productOf(1105, { sale_ends_at: "2026-12-20T15:00:00Z" })];
  const { container } = await open("/search?q=中3");
  await expect.element(page.getByText("16,500円（税込）")).toBeVisible();
  await expect.element(page.getByText("販売は2026年12月20日(日)まで")).toBeVisible();
  expect(asked).toContain("/api/commerce/product/?kind[]=course&course[]=105&course[]=106");
  await page.getByRole("button", { name: "カートに入れる（中3数学）" }).click();
  expect(visitorCart.get()).toEqual([1105]);
  // A course that is not on sale has no cart button.
  expect(page.getByRole("button", { name: /^カートに入れる/ }).all()).toHaveLength(0);
  expect((await axe.run(container)).violations.map(({ id }) => id)).toEqual([]);
});
