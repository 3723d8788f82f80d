import type { Screen } from "@konomana/paths";
import { overflow, seriousFaults } from "../fixtures/faults";
import { expect, test } from "../fixtures/product";
import { openScreen, ownScreens, publicScreens, settled } from "../fixtures/screens";

function sweep(screens: readonly Screen[]): void {
  for (const screen of screens) {
    test(`${screen.pattern} has no serious fault and no sideways scroll at any width`, async ({
      page,
    }) => {
      await page.setViewportSize({ width: 1264, height: 900 });
      await openScreen(page, screen);
      await expect(page).toHaveTitle(/コノマナ/);
      for (const width of [1264, 960, 320]) {
        await test.step(`${width} px`, async () => {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          expect(await seriousFaults(page)).toEqual([]);
          expect(await overflow(page)).toBe(0);
          await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        });
      }
    });
  }
}

test.describe("a visitor", () => {
  sweep(publicScreens);
});

test.describe("a learner", () => {
  test.use({ as: "adult" });
  sweep(ownScreens);
});
