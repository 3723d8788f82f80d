import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

const SENTENCE =
  "ページがみつかりません。一時的にアクセスできない状況にあるか、移動もしくは削除された可能性があります。";

test("a visitor goes from the list to a notice, to the next one and back", async ({ page }) => {
  await page.goto("/notice");
  await settled(page);
  const first = page.getByRole("main").getByRole("article").first();
  await expect(first.getByText("重要")).toBeVisible();
  const title = await first.getByRole("heading").innerText();
  await first.getByRole("link").click();
  await expect(page).toHaveURL(/\/notice\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);

  const others = page.getByRole("navigation", { name: "ほかのお知らせ" });
  await others.getByRole("link", { name: /^前のお知らせ/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).not.toHaveText(title);
  await others.getByRole("link", { name: /^次のお知らせ/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  await page.getByRole("main").getByRole("link", { name: "お知らせの一覧へ" }).click();
  await expect(page).toHaveURL("/notice");
});

test("a category has its own address, which survives a reload", async ({ page }) => {
  await page.goto("/notice");
  await page
    .getByRole("navigation", { name: "お知らせの種類" })
    .getByRole("link", { name: "メンテナンス" })
    .click();
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toHaveText("メンテナンスのお知らせ");
  await page.reload();
  await expect(heading).toHaveText("メンテナンスのお知らせ");
  const rows = page.getByRole("main").getByRole("article");
  await expect(rows.first()).toBeVisible();
  await expect(rows.filter({ hasNotText: "メンテナンス" })).toHaveCount(0);
});

test("the feed is linked and contains every notice of the list", async ({ page, request }) => {
  await page.goto("/notice");
  const feed = page.locator('link[rel="alternate"][type="application/atom+xml"]');
  await expect(feed).toHaveCount(1);
  const answer = await request.get((await feed.getAttribute("href")) ?? "");
  expect(answer.status()).toBe(200);
  expect(answer.headers()["content-type"]).toContain("application/atom+xml");
  const atom = await answer.text();
  for (const link of await page.getByRole("main").getByRole("article").getByRole("link").all())
    expect(atom).toContain(`${(await link.getAttribute("href")) ?? "?"}"`);
});

for (const path of [
  "/notice/999999",
  "/inquiry/999999",
  "/notice/abc",
  "/inquiry/0",
  "/success/2023",
]) {
  test(`${path} has status 404 and the not-found page, which links to the top`, async ({
    page,
  }) => {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(404);
    await expect(page.getByText("not found", { exact: true })).toBeVisible();
    await expect(page.getByText(SENTENCE, { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "TOPへ", exact: true }).click();
    await expect(page).toHaveURL("/");
  });
}
