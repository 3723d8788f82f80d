/**
 * Every screen, at each width of the design: no serious axe violation, no sideways scrolling, no
 * motion.
 */
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { expect, test } from "../fixtures/product";
import {
  mostVisitedScreens,
  openScreen,
  ownScreens,
  publicScreens,
  type Screen,
} from "../fixtures/screens";

const WIDTHS = [1264, 960, 320];

/** The durations of the running animations, in milliseconds. Instant ones do not count. */
async function motion(page: Page): Promise<number[]> {
  return page.evaluate(() =>
    document
      .getAnimations()
      .map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))
      .filter((duration) => duration > 1),
  );
}

/** Changes the width of the window and waits for the layout. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

function sweep(screens: readonly Screen[]): void {
  for (const screen of screens) {
    test(`${screen.pattern} has no serious fault, no sideways scroll and no motion`, async ({
      page,
    }) => {
      await openScreen(page, screen);
      await expect(page).toHaveTitle(/コノマナ/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await page.getByRole("main").locator("a, button").filter({ visible: true }).first().hover();
      expect(await motion(page)).toEqual([]);
      for (const width of WIDTHS) {
        await resize(page, width);
        expect(await seriousFaults(page), `at ${width} px`).toEqual([]);
        expect(await overflow(page), `at ${width} px`).toBe(0);
      }
    });
  }
}

test.describe("with less motion", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test.describe("a visitor", () => {
    sweep(publicScreens);

    test("the drawer of a phone opens without an animation", async ({ page }) => {
      await page.setViewportSize({ width: 320, height: 640 });
      await page.goto("/");
      await page.getByRole("button", { name: "メニューを開く" }).click();
      await expect(page.getByRole("dialog", { name: "メニュー" })).toBeVisible();
      expect(await motion(page)).toEqual([]);
    });
  });

  test.describe("a learner", () => {
    test.use({ as: "learner" });
    sweep(ownScreens);
  });
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });

  for (const screen of mostVisitedScreens) {
    test.describe(() => {
      test.use({ as: screen.scope === undefined ? null : "learner" });

      test(`${screen.pattern} opens without a serious fault or a sideways scroll`, async ({
        page,
      }) => {
        await openScreen(page, screen);
        expect(await seriousFaults(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
      });
    });
  }
});
