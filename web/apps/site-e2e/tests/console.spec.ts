/** The staff console, at its own address. */
import type { Page } from "@playwright/test";
import { accounts, expect, password, test } from "../fixtures/product";

async function fillConsole(page: Page, email: string): Promise<void> {
  await page.getByLabel("メールアドレス").fill(email);
  await page.getByLabel("パスワード", { exact: true }).fill(password);
  await page.getByRole("button", { name: "ログイン" }).click();
}

test("staff sign in and out, and search engines are excluded", async ({ page }) => {
  const opened = await page.goto("/console");
  expect(opened?.status()).toBe(200);
  expect(await opened?.headerValue("x-robots-tag")).toBe("noindex");
  await fillConsole(page, accounts.staff);
  await expect(page.getByText("岡田 直樹さんとしてログインしています")).toBeVisible();
  await page.getByRole("button", { name: "ログアウト" }).click();
  await expect(page.getByRole("heading", { name: "スタッフのログイン" })).toBeVisible();
});

test("a learner sees that the console is for staff and is not signed in", async ({ page }) => {
  await page.goto("/console");
  await fillConsole(page, accounts.adult);
  await expect(page.getByText("スタッフ用のアカウントではないため")).toBeVisible();
  await page.goto("/mypage");
  await expect(page).toHaveURL("/login");
});
