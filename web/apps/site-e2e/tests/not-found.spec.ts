import { expect, test } from "../fixtures/product";

const SENTENCE =
  "ページがみつかりません。一時的にアクセスできない状況にあるか、移動もしくは削除された可能性があります。";

for (const path of [
  "/no-such-page",
  "/course/999999",
  "/course/abc",
  "/teacher/999999",
  "/mypage/nothing",
  "/login/x",
]) {
  test(`${path} has status 404 and the not-found page`, async ({ page }) => {
    const response = await page.goto(path);
    expect(response?.status()).toBe(404);
    await expect(page.getByText("not found", { exact: true })).toBeVisible();
    await expect(page.getByText(SENTENCE, { exact: true })).toBeVisible();
    await page.getByRole("link", { name: "TOPへ", exact: true }).click();
    await expect(page).toHaveURL("/");
  });
}

test("a path without a page has status 404 too", async ({ request }) => {
  for (const path of ["/mypage/exam", "/mypage/english"])
    expect((await request.get(path)).status()).toBe(404);
});
