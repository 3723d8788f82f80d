import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/product";
import { roundsUntil } from "../fixtures/rounds";

/** Presses a disabled button. The keyboard can still reach it. */
async function pressAtTheEnd(page: Page, button: Locator): Promise<void> {
  await expect(button).toBeDisabled();
  await button.focus();
  await page.keyboard.press("Enter");
}

test.describe("a list of several pages", () => {
  test.use({ as: "adult" });

  test("is paged by the server's links and stops at both ends", async ({ page }) => {
    await page.goto("/mypage/favorite");
    const names = page.getByRole("main").getByRole("region").getByRole("listitem");
    const pager = page.getByRole("navigation", { name: "ページ", exact: true });
    await expect(pager).toContainText("1 / 2ページ");
    const first = await names.allTextContents();

    await pressAtTheEnd(page, pager.getByRole("button", { name: "前へ" }));
    await expect(page).toHaveURL("/mypage/favorite");

    const followed = page.waitForRequest(/\/api\/lms\/favorite\/.*page=2/);
    await pager.getByRole("button", { name: "次へ" }).click();
    await followed;
    await expect(page).toHaveURL("/mypage/favorite?page=2");
    await expect(pager).toContainText("2 / 2ページ");
    const second = await names.allTextContents();
    expect(second).not.toEqual(first);

    await pressAtTheEnd(page, pager.getByRole("button", { name: "次へ" }));
    await expect(page).toHaveURL("/mypage/favorite?page=2");

    await page.reload();
    await expect(names).toHaveText(second);
    await pager.getByRole("button", { name: "前へ" }).click();
    await expect(page).toHaveURL("/mypage/favorite");
    await expect(names).toHaveText(first);
  });
});

test.describe("the inventory", () => {
  test.use({ as: "adult" });

  test("is filtered by state, and lists a course that was bought again once", async ({ page }) => {
    await page.goto("/mypage/course");
    const cards = page.getByRole("main").locator("li:has(h2)");
    await expect(cards).toHaveCount(10);
    const again = cards.filter({ hasText: "高2国語 古文読解" });
    await expect(again).toContainText("に終了した期間の記録も、引きつがれています。");
    const states = page.getByRole("navigation", { name: "講座の状態でしぼりこむ" });
    await states.getByRole("link", { name: "期限切れ" }).click();
    await expect(page).toHaveURL("/mypage/course?state=expired");
    await expect(cards).toHaveCount(1);
    await page.goBack();
    await expect(cards).toHaveCount(10);
  });

  test("a missing course, or a course of another learner, is not found", async ({ page }) => {
    await page.goto("/mypage/learnning/999999999");
    await expect(page.getByRole("heading", { name: "not found" })).toBeVisible();
  });

  test("a server failure shows the trace id and can be retried", async ({ page }) => {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    await page.route("**/api/lms/inventory/**", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/problem+json",
        json: { status: 500, code: "INTERNAL", trace_id: trace },
      }),
    );
    await page.goto("/mypage/course");
    const told = page.getByRole("alert").filter({ hasText: trace });
    await expect(told).toContainText("サーバーで問題が起きました。");
    await page.unroute("**/api/lms/inventory/**");
    await told.getByRole("button", { name: "もう一度試す" }).click();
    await expect(page.getByRole("main").locator("li:has(h2)")).toHaveCount(10);
  });
});

test.describe("a cold open of the inventory", () => {
  test.use({ as: "adult" });

  test("shows rows after two rounds of requests, the code and the data", async ({ page }) => {
    const rounds = await roundsUntil(page, "/mypage/course", "main li h2");
    expect(rounds, JSON.stringify(rounds, null, 1)).toHaveLength(2);
    expect(rounds[1]).toContain("/api/lms/inventory/");
  });
});

test.describe("an expired course", () => {
  test.use({ as: "expired" });

  test("stays listed as 期限切れ, and its progress is visible", async ({ page }) => {
    await page.goto("/mypage/course");
    const card = page.getByRole("main").locator("li:has(h2)").filter({ hasText: "期限切れ" });
    await card.first().getByRole("link").click();
    await expect(page.getByText("この講座は期限切れです")).toBeVisible();
    await expect(page.getByRole("checkbox").first()).toBeVisible();
  });
});
