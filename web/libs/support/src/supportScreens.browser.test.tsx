import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { browserSource } from "./data/supportSource";
import { type Answers, done, itemOf, listOf, problem } from "@konomana/testing";
import { faultsOnAPhone, open } from "./supportTesting";
import { content } from "./testing-content";

beforeEach(() => {
  sessionStorage.clear();
});

test.each([
  ["/notice", "お知らせ"],
  ["/notice/12", "12月の定期メンテナンス"],
  ["/inquiry", "よくある質問"],
  ["/inquiry/1", "途中でやめられますか？"],
  ["/contact", "お問い合わせ"],
  ["/contact/complete", "お問い合わせの送信完了"],
  ["/entry-exam", "入試カレンダー"],
  ["/success/2022", "2022年 合格実績"],
  ["/success/2024", "2024年 合格実績"],
  ["/success/2025", "2025年 合格実績"],
])("%s is called %s and has no fault on a narrow phone", async (path, title) => {
  const { screen, heading } = await open(path);
  await expect.element(heading(title)).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  expect(screen.container.querySelectorAll("h1")).toHaveLength(1);
});

test("a notice published after the build is in the list at once", async () => {
  const [notice] = content.notices.map((one) => ({
    ...one,
    id: 99,
    title: "できたてのお知らせ",
  }));
  const answers: Answers = { "GET desk/notice/": () => (notice ? listOf(notice) : listOf()) };
  const { screen } = await open("/notice", { answers });
  await expect
    .element(screen.getByRole("link", { name: "できたてのお知らせ" }))
    .toHaveAttribute("href", "/notice/99");
});

test("without the API the list shows the built data", async () => {
  const { screen, calls } = await open("/notice");
  await expect.poll(() => calls.map(({ call }) => call)).toContain("GET desk/notice/");
  await expect.element(screen.getByRole("link", { name: "12月の定期メンテナンス" })).toBeVisible();
  await expect.element(screen.getByText("重要")).toBeVisible();
});

test("a category has its own address, and the API filters the list", async () => {
  const answers = { "GET desk/notice/": () => listOf(...content.notices.slice(1, 2)) };
  const { screen, heading, calls } = await open("/notice", { answers, source: browserSource });
  await screen.getByRole("link", { name: "講座", exact: true }).click();
  await expect.element(heading("講座のお知らせ")).toBeVisible();
  expect(calls.at(-1)?.call).toBe("GET desk/notice/?category=講座");
});

test("a notice links to its neighbours and to the list", async () => {
  const { screen, heading } = await open("/notice/12");
  await expect.element(screen.getByText("（2026年11月3日(火)に更新）")).toBeVisible();
  await screen.getByRole("link", { name: /^次のお知らせ/ }).click();
  await expect.element(heading("新しい講座が始まりました")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: /^前のお知らせ/ }))
    .toHaveAttribute("href", "/notice/12");
  await screen.getByRole("link", { name: "お知らせの一覧へ" }).click();
  await expect.element(heading("お知らせ")).toBeVisible();
});

test("an unknown notice is not found", async () => {
  const { heading } = await open("/notice/999", { source: browserSource });
  await expect.element(heading("見つかりません")).toBeVisible();
});

test("questions are searched by words, and the address keeps them", async () => {
  const answers: Answers = { "GET desk/faq/": () => listOf(...content.faqs.slice(0, 1)) };
  const { screen, router, calls } = await open("/inquiry", { answers, source: browserSource });
  await screen.getByRole("searchbox", { name: "質問をさがす" }).fill("やめる");
  await screen.getByRole("button", { name: "検索" }).click();
  await expect.element(screen.getByText("「やめる」：1件")).toBeVisible();
  expect(router.state.location.search).toBe(`?q=${encodeURIComponent("やめる")}`);
  expect(calls.map(({ call }) => call)).toContain("GET desk/faq/?q=やめる");
  await expect
    .element(screen.getByRole("searchbox", { name: "質問をさがす" }))
    .toHaveValue("やめる");
});

test("an empty search result suggests what to try", async () => {
  const { screen } = await open("/inquiry?q=zzz", {
    answers: { "GET desk/faq/": () => listOf() },
    source: browserSource,
  });
  await expect.element(screen.getByText(/もっと短いことば/)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "すべての質問を見る" })).toBeVisible();
});

test("a helpful vote is thanked for, and the focus moves to the thanks", async () => {
  const { screen, calls } = await open("/inquiry/1", {
    answers: { "POST desk/faq/1/vote/": () => done() },
  });
  await screen.getByRole("button", { name: "役に立った", exact: true }).click();
  await expect.element(screen.getByText(/お役に立ててうれしいです/)).toBeVisible();
  expect(document.activeElement?.textContent).toContain("ありがとうございます");
  expect(calls.at(-1)?.body).toEqual({ helpful: true });
});

test("an unhelpful vote shows a link to the contact form", async () => {
  const { screen } = await open("/inquiry/1", {
    answers: { "POST desk/faq/1/vote/": () => done() },
  });
  await screen.getByRole("button", { name: "役に立たなかった" }).click();
  await expect
    .element(screen.getByRole("status").getByRole("link", { name: "お問い合わせ" }))
    .toHaveAttribute("href", "/contact");
});

test("a failed vote shows a message and can be repeated", async () => {
  const { screen } = await open("/inquiry/1", {
    answers: { "POST desk/faq/1/vote/": () => problem(502, "UPSTREAM_UNAVAILABLE") },
  });
  await screen.getByRole("button", { name: "役に立った", exact: true }).click();
  await expect.element(screen.getByText(/つながりにくくなっています/)).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "役に立った", exact: true }))
    .toBeVisible();
});

test("the calendar labels past exams and can be filtered by prefecture", async () => {
  const { screen, heading, router } = await open("/entry-exam");
  await expect.element(screen.getByText("終了しました")).toBeVisible();
  await screen.getByLabelText("都道府県をえらぶ").selectOptions("東京都");
  await screen.getByRole("button", { name: "表示する" }).click();
  await expect.element(heading("東京都の入試カレンダー")).toBeVisible();
  expect(router.state.location.search).toBe(`?prefecture=${encodeURIComponent("東京都")}`);
  await expect.element(screen.getByText("終了しました")).not.toBeInTheDocument();
  await expect.element(screen.getByRole("heading", { name: "2027年2月" })).toBeVisible();
});

test("a year's figures show their totals and date; other years are one press away", async () => {
  await page.viewport(1280, 800);
  const { screen, heading } = await open("/success/2025");
  await expect
    .element(screen.getByRole("row", { name: "第一志望に合格 150人 200人 75.0%" }))
    .toBeVisible();
  await expect.element(screen.getByText("2025年5月31日(土)").first()).toBeVisible();
  await expect
    .element(screen.getByRole("heading", { name: "数字で見る2025年 見本" }))
    .toBeVisible();
  await screen.getByRole("link", { name: "2022年" }).click();
  await expect.element(heading("2022年 合格実績")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "2022年" }))
    .toHaveAttribute("aria-current", "page");
});

test("a voice links to its courses by name", async () => {
  const course = {
    ...itemOf().course,
    id: 105,
    name: "中3数学 二次方程式と関数",
    product: null,
  };
  const facets = { school_year: [], category: [], level: [] };
  const answers: Answers = { "GET lms/course/": () => ({ ...listOf(course), facets }) };
  const { screen } = await open("/success/2025", { answers });
  await expect
    .element(screen.getByRole("link", { name: course.name }))
    .toHaveAttribute("href", "/course/105");
  await expect.element(screen.getByRole("figure").getByText("見本").first()).toBeVisible();
});

test("a voice that was withdrawn disappears, although the build has it", async () => {
  const [year] = content.success.map((one) => ({ ...one, voices: [] }));
  const answers: Answers = year ? { "GET desk/success/2025/": () => year } : {};
  const { screen, heading } = await open("/success/2025", { answers });
  await expect.element(heading("2025年 合格実績")).toBeVisible();
  await expect.element(screen.getByText("みずきさん", { exact: true })).not.toBeInTheDocument();
});
