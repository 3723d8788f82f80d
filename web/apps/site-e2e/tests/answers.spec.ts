import { baseURL } from "../fixtures/chromium";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

test("a question is found by a word in kana, and its answer links on", async ({ page }) => {
  await page.goto("/inquiry");
  await page.getByRole("searchbox", { name: "質問をさがす" }).fill("かいやく");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(`/inquiry?q=${encodeURIComponent("かいやく")}`);
  await expect(page.getByText("「かいやく」：1件")).toBeVisible();
  await page.getByRole("link", { name: /いつでもやめられますか/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toContainText("いつでもやめられますか");

  await page.goBack();
  await expect(page.getByRole("searchbox", { name: "質問をさがす" })).toHaveValue("かいやく");
});

test("a search has its own address, and an empty result suggests what to try", async ({ page }) => {
  await page.goto(`/inquiry?q=${encodeURIComponent("ぴよぴよ")}`);
  await expect(page.getByText("あてはまる質問が見つかりませんでした")).toBeVisible();
  await page.getByRole("link", { name: "すべての質問を見る" }).click();
  await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
});

test("a helpful vote is thanked for, and the next reader sees it", async ({ page, browser }) => {
  await page.goto("/inquiry/11");
  await settled(page);
  await page.getByRole("button", { name: "役に立った", exact: true }).click();
  await expect(page.getByText("ありがとうございます。お役に立ててうれしいです。")).toBeVisible();

  // A second visitor, whose browser has not cached the earlier response.
  const other = await (await browser.newContext({ baseURL, locale: "ja-JP" })).newPage();
  await other.goto("/inquiry/11");
  await expect(other.getByText(/^\d+人の役に立ちました$/)).toBeVisible();
  await other.context().close();
});

test("an unhelpful vote leads to the contact form by keyboard only", async ({ page }) => {
  await page.goto("/inquiry/12");
  await settled(page);
  await page.getByRole("button", { name: "役に立たなかった" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("教えてくださって、ありがとうございます。")).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/contact");
});
