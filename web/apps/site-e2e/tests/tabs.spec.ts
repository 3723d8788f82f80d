import type { Page } from "@playwright/test";
import { accounts, expect, fillLogin, goOnLink, password, signIn, test } from "../fixtures/product";

const logoutButton = (page: Page) =>
  page.getByRole("navigation", { name: "マイページ" }).getByRole("button", { name: "ログアウト" });

test("a logout in one tab ends the other, and a login returns both to their pages", async ({
  page,
  context,
}) => {
  await signIn(page);
  const other = await context.newPage();
  await other.goto("/mypage/bookmark");
  await expect(other.getByRole("heading", { name: "あとで見る", level: 1 })).toBeVisible();

  await logoutButton(page).click();
  await expect(page).toHaveURL("/login");
  await expect(other).toHaveURL("/login");
  await other.goto("/mypage/favorite");
  await expect(other).toHaveURL("/login");

  await fillLogin(page, accounts.adult, password);
  await expect(page).toHaveURL("/mypage");
  await expect(other).toHaveURL("/mypage/favorite");
});

test("a logout invalidates the stored tokens", async ({ page, context }) => {
  await signIn(page);
  const kept = await context.storageState();
  await logoutButton(page).click();
  await expect(page).toHaveURL("/login");

  await page.evaluate((entries) => {
    for (const { name, value } of entries) localStorage.setItem(name, value);
  }, kept.origins[0]?.localStorage ?? []);
  await page.goto("/mypage");
  await expect(page).toHaveURL("/login");
});

/** Makes this browser treat its access token as expired. */
async function expireAccess(page: Page): Promise<void> {
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem("konomana.tokens") ?? "{}") as object;
    localStorage.setItem("konomana.tokens", JSON.stringify({ ...tokens, access_expires_at: 0 }));
  });
}

test("two tabs that refresh at once share one refresh and never sign each other out", async ({
  page,
  context,
}) => {
  await signIn(page);
  const other = await context.newPage();
  await other.goto("/mypage/favorite");
  let refreshes = 0;
  context.on("request", (request) => {
    if (request.url().includes("/api/accounts/token/refresh/")) refreshes += 1;
  });

  for (let round = 1; round <= 5; round += 1) {
    // Leaves the app first. A running tab refreshes as soon as its token expires, and a reload
    // would drop the pending response.
    await Promise.all([page.goto("/robots.txt"), other.goto("/robots.txt")]);
    await expireAccess(page);
    await Promise.all([page.goto("/mypage"), other.goto("/mypage/favorite")]);
    await expect(goOnLink(page)).toBeVisible();
    await expect(other.getByRole("heading", { name: "お気に入り", level: 1 })).toBeVisible();
    expect(refreshes).toBe(round);
  }
  await expect(page).toHaveURL("/mypage");
  await expect(other).toHaveURL("/mypage/favorite");
});

test("an access token that the server refuses is refreshed silently", async ({ page }) => {
  await signIn(page);
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem("konomana.tokens") ?? "{}") as object;
    localStorage.setItem("konomana.tokens", JSON.stringify({ ...tokens, access_token: "a.b.c" }));
  });
  await page.goto("/mypage/course");
  await expect(page.getByRole("main").locator("li:has(h2)")).toHaveCount(10);
});

test("an ended session leads to the login and back", async ({ page }) => {
  await signIn(page);
  await page.evaluate(() => {
    const tokens = JSON.parse(localStorage.getItem("konomana.tokens") ?? "{}") as object;
    const ended = { ...tokens, access_expires_at: 0, refresh_expires_at: 0 };
    localStorage.setItem("konomana.tokens", JSON.stringify(ended));
  });
  await page.goto("/mypage/bookmark");
  await expect(page).toHaveURL("/login");
  await fillLogin(page, accounts.adult, password);
  await expect(page).toHaveURL("/mypage/bookmark");
});
