/** Whoever asked for less motion gets none. */
import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures/product";
import { openScreen, ownScreens, publicScreens } from "../fixtures/screens";

/** How long what moves on the page takes, in milliseconds; what is over at once does not count. */
async function motion(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))
      .filter((duration) => duration > 1),
  );
}

test.use({ contextOptions: { reducedMotion: "reduce" } });

for (const screen of publicScreens) {
  test(`nothing moves on ${screen.pattern}`, async ({ page }) => {
    await openScreen(page, screen);
    await page.getByRole("main").locator("a, button").filter({ visible: true }).first().hover();
    expect(await motion(page)).toEqual([]);
  });
}

test("the drawer of a phone is simply there", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  await page.getByRole("button", { name: "メニューを開く" }).click();
  await expect(page.getByRole("dialog", { name: "メニュー" })).toBeVisible();
  expect(await motion(page)).toEqual([]);
});

test.describe("a learner", () => {
  test.use({ as: "adult" });

  for (const screen of ownScreens) {
    test(`nothing moves on ${screen.pattern}`, async ({ page }) => {
      await openScreen(page, screen);
      await page.getByRole("main").getByRole("link").first().hover();
      expect(await motion(page)).toEqual([]);
    });
  }
});
