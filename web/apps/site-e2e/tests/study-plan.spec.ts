/** The study plan of a learner: today on the home, two weeks on a page of its own, and the minutes a day. */
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

test.use({ as: "adult" });

test("a learner sees today's plan, changes the minutes to 30, and the plan follows", async ({
  page,
}) => {
  await page.goto("/mypage/plan");
  const minutes = page.getByLabel("1日に学習する時間");
  const first = page.getByRole("region", { name: /^今日・/ });
  const saved = page.getByText("保存しました。");

  // Lessons are at least 5 minutes long, so a day of 5 minutes has one.
  await minutes.selectOption("5分");
  await expect(saved.first()).toBeVisible();
  await page.goto("/mypage");
  await settled(page);
  const today = page.getByRole("region", { name: "今日の5分" });
  await expect(today).toBeVisible();

  await today.getByRole("link", { name: "2週間のプラン" }).click();
  await expect(page).toHaveURL("/mypage/plan");
  await expect(page.getByRole("region", { name: /月\d+日/ })).toHaveCount(14);
  const tomorrow = page.getByRole("region", { name: /月\d+日/ }).nth(1);
  await expect(tomorrow.getByRole("listitem")).toHaveCount(1);
  await minutes.selectOption("30分");
  await expect(tomorrow.getByRole("listitem").nth(1)).toBeVisible();
  await page.reload();
  await expect(minutes).toHaveValue("30");
  await expect(first).toBeVisible();

  await page.goto("/mypage");
  await expect(page.getByRole("region", { name: "今日の30分" })).toBeVisible();
  await page.goto("/mypage/plan");
  await tomorrow.getByRole("link").first().click();
  await expect(page).toHaveURL(/\/lecture\/\d+$/);
});
