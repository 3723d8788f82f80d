import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/product";

const field = (page: Page) => page.getByRole("combobox", { name: "サイト内を検索" });

const options = (page: Page) => page.getByRole("listbox", { name: "候補" }).getByRole("option");

/** Opens the search of the header by keyboard. */
async function openSearch(page: Page): Promise<void> {
  await page.getByRole("button", { name: "サイト内を検索" }).focus();
  await page.keyboard.press("Enter");
  await expect(field(page)).toBeFocused();
}

test("by keyboard only: type two letters, choose a suggestion, and open it", async ({ page }) => {
  await page.goto("/");
  await openSearch(page);
  await page.keyboard.type("関数");
  const first = options(page).first();
  await expect(first).toBeVisible();
  await page.keyboard.press("ArrowDown");
  await expect(first).toHaveAttribute("aria-selected", "true");
  const title = (await first.locator("span").textContent()) ?? "";
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/course\/\d+|\/teacher\/\d+|\/notice\/\d+|\/inquiry\/\d+/);
  await expect(page.getByRole("main").getByText(title).first()).toBeVisible();
});

test("Escape closes the suggestions, then the search, and restores the focus", async ({ page }) => {
  await page.goto("/course");
  await openSearch(page);
  await page.keyboard.type("関数");
  await expect(options(page).first()).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(options(page)).toHaveCount(0);
  await expect(field(page)).toHaveValue("関数");
  await page.keyboard.press("Escape");
  await expect(field(page)).toBeHidden();
  await expect(page.getByRole("button", { name: "サイト内を検索" })).toBeFocused();
});

test("during an IME composition, Enter belongs to the IME", async ({ page }) => {
  await page.goto("/");
  await openSearch(page);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Input.imeSetComposition", {
    text: "すうがく",
    selectionStart: 4,
    selectionEnd: 4,
  });
  await expect(field(page)).toHaveValue("すうがく");
  // The event that a browser sends for a key consumed by the IME.
  await devtools.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    key: "Process",
    code: "Enter",
    windowsVirtualKeyCode: 229,
  });
  await expect(page).toHaveURL("/");
  await devtools.send("Input.insertText", { text: "数学" });
  await expect(field(page)).toHaveValue("数学");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/search?q=${encodeURIComponent("数学")}`);
});

test("kana finds words in kanji; result kinds and Back work through the address", async ({
  page,
}) => {
  await page.goto(`/search?q=${encodeURIComponent("すうがく")}`);
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("「すうがく」の検索結果");
  await expect(main.getByRole("link", { name: /^中1数学/ })).toBeVisible();

  await main.getByRole("navigation", { name: "検索結果の種類" }).getByText("講座").click();
  await expect(page).toHaveURL(/&kind=course$/);
  await expect(main.getByRole("heading", { level: 2 })).toHaveText([/^講座/]);
  await page.goBack();
  await expect(page).toHaveURL(/\?q=[^&]+$/);
  await page.reload();
  await expect(main.getByRole("link", { name: /^中1数学/ })).toBeVisible();
});

test("digits match in every notation, and kana at the beginning of a word", async ({ page }) => {
  const courses = page.getByRole("main").getByRole("heading", { level: 3 });
  await page.goto(`/search?q=${encodeURIComponent("２次方程式")}&kind=course`);
  await expect(courses.first()).toContainText("二次方程式");
  await page.goto(`/search?q=${encodeURIComponent("りか")}&kind=course`);
  await expect(courses).toHaveText([/^中2理科/, /^高2理科/]);
  await page.goto(`/course?q=${encodeURIComponent("りか")}`);
  await expect(page.getByRole("main").getByRole("link", { name: /^中2理科/ })).toBeVisible();
  await expect(page.getByRole("main").getByText("日本史")).toHaveCount(0);
});

test("a lesson in the results opens in the outline of its course", async ({ page }) => {
  const lesson = "be動詞か一般動詞か、見分ける";
  await page.goto(`/search?q=${encodeURIComponent(lesson)}&kind=lesson`);
  await page.getByRole("link", { name: lesson }).click();
  await expect(page).toHaveURL(/\/course\/101#lesson-\d+$/);
  // The search stays visible until the course is rendered.
  await expect(page.getByRole("heading", { level: 1 })).not.toContainText("検索結果");
  await expect(page.getByText(lesson)).toBeInViewport();
});

test("an empty result suggests what to try", async ({ page }) => {
  await page.goto("/search?q=zzqqzz");
  await expect(
    page.getByRole("heading", { name: "「zzqqzz」は見つかりませんでした" }),
  ).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "学年と教科からさがす" }).click();
  await expect(page).toHaveURL("/course");
});

test("the search page is excluded from search engines", async ({ request }) => {
  const answer = await request.get("/search?q=a");
  expect(answer.headers()["x-robots-tag"]).toContain("noindex");
});
