import { visitorCart } from "@konomana/cart";
import { productOf } from "@konomana/cart/testing";
import axe from "axe-core";
import { inventoryOf, itemOf, listOf } from "@konomana/testing";
import { expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { snapshotSource } from "./catalogSnapshot";
import {
  answers,
  beginAnewEachTime,
  changes,
  course,
  open,
  signIn,
  teacher,
  told,
} from "./catalogTesting";
import type { CatalogueSource } from "./data/catalogueSource";
import { facetsOf } from "./data/courseData";

beginAnewEachTime();

test.each(["/", "/course", "/course/101", "/teacher", "/teacher/1", "/search", "/search?q=英語"])(
  "%s has one h1 and no accessibility violation",
  async (path) => {
    const { container } = await open(path);
    await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
    const { violations } = await axe.run(container, { resultTypes: ["violations"] });
    expect(violations.map(({ id }) => id)).toEqual([]);
  },
);

test("the front page leads to the courses by school year and subject", async () => {
  await open("/");
  await expect
    .element(page.getByRole("link", { name: "中1 英語 1講座" }))
    .toHaveAttribute(
      "href",
      `/course?${new URLSearchParams({ school_year: "中1", category: "英語" })}`,
    );
});

test("the front page shows the price model and the services that are not open yet", async () => {
  await open("/");
  const costs = page.getByRole("region", { name: "料金は、講座ごとに1回だけ" });
  for (const words of [
    "買い切り",
    "365日",
    "入会金なし",
    /^教科別の学習計画（コノシキ）、.*は準備中です。/,
  ])
    await expect.element(costs.getByText(words)).toBeVisible();
});

test("the front page offers a sample lesson if a course has one", async () => {
  const sample = page.getByRole("link", { name: "登録なしで、見本のレッスンを見る" });
  const without = await open("/");
  await expect.element(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect.element(sample).not.toBeInTheDocument();
  await without.unmount();
  const sample_video = "/api/media/open/course/102/sample/master.m3u8";
  const courses = [course, { ...course, id: 102, sample_video }];
  const { home } = snapshotSource({ courses, teachers: [teacher] }, told);
  await open("/", { home });
  await expect.element(sample).toHaveAttribute("href", "/course/102#look");
});

test.each([
  ["within the hour", 59, 1, "1講座をすべて見る"],
  ["longer ago", 61, 2, "7講座をすべて見る"],
])("a front page made %s", async (_, minutes, loads, label) => {
  const as_of = Date.now() - minutes * 60_000;
  const home = vi.fn<CatalogueSource["home"]>();
  const built = await snapshotSource({ courses: [course], teachers: [teacher] }, told).home(
    new AbortController().signal,
  );
  home.mockResolvedValueOnce({ ...built, as_of }).mockResolvedValue({ ...built, count: 7 });
  await open("/", { home });
  await expect.element(page.getByRole("link", { name: label })).toBeVisible();
  expect(home).toHaveBeenCalledTimes(loads);
});

test("monthly services are listed below the courses with their monthly price, and can be added to the cart", async () => {
  const monthly = productOf(3001, {
    kind: "subscription",
    name: "月額 質問し放題",
    summary: "何回でも質問できます。",
    description: "はじめの段落。\n\nつぎの段落。",
    price: 2980,
    period_days: null,
    course_id: null,
  });
  answers["GET commerce/product/"] = () => listOf(monthly);
  const { container } = await open("/course");
  const services = page.getByRole("region", { name: "月額サービス" });
  await expect.element(services).toMatchTextContent(/月2,980円（税込）・1か月ごとに自動更新/);
  await page.viewport(360, 800);
  expect((await axe.run(container)).violations.map(({ id }) => id)).toEqual([]);
  expect(document.documentElement.scrollWidth).toBe(360);
  await services.getByRole("button", { name: "カートに入れる（月額 質問し放題）" }).click();
  await expect.element(services.getByRole("link", { name: /カートを見る/ })).toBeVisible();
  expect(visitorCart.get()).toEqual([3001]);
});

test("without a monthly service the page has no section for them", async () => {
  await open("/course");
  await expect.element(page.getByRole("heading", { name: course.name })).toBeVisible();
  expect(page.getByRole("region", { name: "月額サービス" }).elements()).toEqual([]);
});

test("filters are in the address, the list shows them, and 'back' undoes a choice", async () => {
  const { router } = await open("/course?school_year=中1&category=英語");
  const heading = page.getByRole("heading", { level: 1 });
  await expect.element(heading).toHaveTextContent("中1 英語の講座");
  await expect.element(page.getByRole("checkbox", { name: /^中1/ })).toBeChecked();
  await page.getByRole("checkbox", { name: /^数学/ }).click();
  await expect.element(page.getByRole("checkbox", { name: /^数学/ })).toBeChecked();
  // The checkbox changes before the address does.
  const categories = () => new URLSearchParams(router.state.location.search).getAll("category");
  await expect.poll(categories).toEqual(["英語", "数学"]);
  await router.navigate(-1);
  await expect.element(page.getByRole("checkbox", { name: /^数学/ })).not.toBeChecked();
  await expect.element(heading).toHaveTextContent("中1 英語の講座");
});

test("a checkbox is ticked at once, before the list arrives", async () => {
  await open("/course?school_year=中1&category=英語");
  const box = page.getByRole("checkbox", { name: /^数学/ });
  await expect.element(box).not.toBeChecked();
  const element = box.element() as HTMLInputElement;
  element.click();
  expect(element.checked).toBe(true);
});

test("a chip removes its filter, and the focus moves to the number of courses", async () => {
  const { router } = await open("/course?school_year=中1&price_max=15000&q=be動詞&sort=price");
  await page.getByRole("link", { name: "15,000円以下を外す" }).click();
  await expect
    .element(page.getByRole("link", { name: "15,000円以下を外す" }))
    .not.toBeInTheDocument();
  await expect.element(page.getByText("1講座").first()).toHaveFocus();
  await page.getByRole("link", { name: "すべて外す" }).click();
  await expect.element(page.getByRole("list", { name: "いまの条件" })).not.toBeInTheDocument();
  // The chip disappears before the list arrives.
  await expect.poll(() => router.state.location.search).toBe("?sort=price");
});

test("the text, the prices and the order are in the address too", async () => {
  const { router } = await open("/course");
  await page.getByRole("searchbox", { name: "言葉" }).fill("　be動詞 ");
  await page.getByRole("button", { name: "さがす" }).click();
  await expect.element(page.getByRole("link", { name: "「be動詞」を外す" })).toBeVisible();
  await page.getByRole("combobox", { name: "値段の上限" }).selectOptions("15,000円");
  await page.getByRole("combobox", { name: "並び順" }).selectOptions("値段の安い順");
  await expect
    .poll(() => Object.fromEntries(new URLSearchParams(router.state.location.search)))
    .toEqual({ q: "be動詞", price_max: "15000", sort: "price" });
});

test("on a phone the filters are folded at first", async () => {
  await page.viewport(360, 740);
  await open("/course?level=基礎");
  const choice = page.getByRole("checkbox", { name: /^中1/ });
  const toggle = page.getByRole("button", { name: "しぼりこみ（1）" });
  await expect.element(toggle).toHaveAttribute("aria-expanded", "false");
  await expect.element(choice).not.toBeInTheDocument();
  await toggle.click();
  await expect.element(choice).toBeVisible();
  await page.getByRole("button", { name: "1件の講座を見る" }).click();
  await expect.element(choice).not.toBeInTheDocument();
});

test("an empty result suggests what to try", async () => {
  answers["GET lms/course/"] = () => ({
    ...listOf(),
    facets: { school_year: [], category: [], level: [] },
  });
  await open("/course?q=そんな言葉");
  await expect.element(page.getByText("あてはまる講座がありません")).toBeVisible();
});

test("a teacher's page leads to their courses", async () => {
  await open("/teacher/1");
  await expect.element(page.getByText("公立中学校の英語科で教えました。")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: course.name }))
    .toHaveAttribute("href", "/course/101");
});

test("a card adds its course to the cart, and leads to the course if it is owned", async () => {
  signIn();
  answers["GET lms/inventory/"] = () => inventoryOf(itemOf({ id: 7, course }));
  const sale_ends_at = "2026-12-20T15:00:00Z";
  const offer = { id: 1102, price: 13_200, period_days: 365, sale_ends_at };
  const other = { ...course, id: 102, name: "中1数学", product: offer };
  answers["GET lms/course/"] = () => ({
    ...listOf(course, other),
    facets: facetsOf([course, other]),
  });
  const { router } = await open("/course");
  await expect
    .element(page.getByRole("link", { name: `購入済み：学習する（${course.name}）` }))
    .toHaveAttribute("href", "/mypage/learnning/7");
  await expect.element(page.getByText("販売は2026年12月20日(日)まで")).toBeVisible();
  await page.getByRole("button", { name: "カートに入れる（中1数学）" }).click();
  await expect.poll(() => changes).toEqual(["POST commerce/cart/line/"]);
  expect(router.state.location.pathname).toBe("/course");
});
