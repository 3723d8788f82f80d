import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import type { Screen } from "@konomana/paths";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect, test } from "../fixtures/product";
import { openScreen, ownScreens, publicScreens } from "../fixtures/screens";

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** What axe calls serious or critical, one line each. */
async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  const { violations } = await page.evaluate<AxeResults>("axe.run(document)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

async function overflow(page: Page): Promise<number> {
  return page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
}

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
