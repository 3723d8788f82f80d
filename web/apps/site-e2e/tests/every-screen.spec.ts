import { overflow, seriousFaults } from "../fixtures/faults";
import { expect, test } from "../fixtures/product";
import { openScreen, ownScreens, publicScreens, type Screen } from "../fixtures/screens";

function sweep(screens: readonly Screen[]): void {
  for (const screen of screens) {
    for (const width of [320, 960, 1264]) {
      test(`${screen.pattern} at ${width} px has no serious fault and no sideways scroll`, async ({
        page,
      }) => {
        await page.setViewportSize({ width, height: 900 });
        await openScreen(page, screen);
        expect(await seriousFaults(page)).toEqual([]);
        expect(await overflow(page)).toBe(0);
        await expect(page).toHaveTitle(/コノマナ/);
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      });
    }
  }
}

test.describe("a visitor", () => {
  sweep(publicScreens);
});

test.describe("a learner", () => {
  test.use({ as: "adult" });
  sweep(ownScreens);
});
