import type { Locator, Page } from "@playwright/test";
import { expect, goOnLink, test } from "../fixtures/product";
import { overflow } from "../fixtures/faults";
import { settled } from "../fixtures/screens";

/** Presses Tab until the element has the focus. Fails after the number of stops of one page. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let stops = 0; stops < 160; stops += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  await expect(target).toBeFocused();
}

test("by keyboard only: sign in, continue a course, check a lesson, sign out", async ({
  page,
  ownLearner,
}) => {
  const { email, password } = ownLearner();
  await page.goto("/login");
  await tabTo(page, page.getByLabel("メールアドレス"));
  await page.keyboard.type(email);
  await tabTo(page, page.getByLabel("パスワード", { exact: true }));
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/mypage");

  await tabTo(page, goOnLink(page));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/lecture\/\d+/);
  await page.goBack();

  await tabTo(
    page,
    page.getByRole("navigation", { name: "マイページ" }).getByRole("link", { name: "所有講座" }),
  );
  await page.keyboard.press("Enter");
  await tabTo(page, page.getByRole("main").locator("li:has(h2)").first().getByRole("link"));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/mypage\/learnning\/\d+/);

  const name = await page
    .getByRole("checkbox", { checked: false })
    .first()
    .getAttribute("aria-label");
  const lesson = page.getByRole("checkbox", { name: name ?? "", exact: true });
  for (const [method, checked] of [
    ["PUT", true],
    ["DELETE", false],
  ] as const) {
    await tabTo(page, lesson);
    const answer = page.waitForResponse((response) => response.request().method() === method);
    await page.keyboard.press("Space");
    expect((await answer).status()).toBe(204);
    await expect(lesson).toBeChecked({ checked });
  }

  await tabTo(
    page,
    page
      .getByRole("navigation", { name: "マイページ" })
      .getByRole("button", { name: "ログアウト" }),
  );
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/login");
});

test("the first Tab stop skips the header", async ({ page }) => {
  await page.goto("/course");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("main")).toBeFocused();
});

test("by keyboard only: open the menu of a phone, close it, and go to the courses", async ({
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto("/");
  const opener = page.getByRole("button", { name: "メニューを開く" });
  await tabTo(page, opener);
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "メニュー" });
  await expect(drawer).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  await expect(opener).toBeFocused();

  await page.keyboard.press("Enter");
  await tabTo(page, drawer.getByRole("link", { name: "講座をさがす" }));
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/course");
});

test("the menu of a phone closes with Back, and the page stays", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  await page.goto("/teacher");
  const drawer = page.getByRole("dialog", { name: "メニュー" });
  await page.getByRole("button", { name: "メニューを開く" }).click();
  await expect(drawer).toBeVisible();
  await page.goBack();
  await expect(drawer).toBeHidden();
  await expect(page).toHaveURL("/teacher");

  // A page opened from the menu replaces the menu's history entry.
  await page.getByRole("button", { name: "メニューを開く" }).click();
  await drawer.getByRole("link", { name: "講座をさがす" }).click();
  await expect(page).toHaveURL("/course");
  await page.goBack();
  await expect(page).toHaveURL("/teacher");
  await page.goBack();
  await expect(page).toHaveURL("/");
});

/** Doubles the text size, like the browser's setting. */
async function enlargeText(page: Page): Promise<void> {
  await page.evaluate(() => (document.documentElement.style.fontSize = "200%"));
}

/** Expects an element to be fully in the window with its text on one line. */
async function expectWhole(page: Page, element: Locator): Promise<void> {
  await expect(element).toBeInViewport({ ratio: 1 });
  const lines = await element.evaluate((whole) => {
    const range = document.createRange();
    range.selectNodeContents(whole.querySelector("span") ?? whole);
    return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
  });
  expect(lines).toBeLessThanOrEqual(1);
}

for (const width of [360, 320]) {
  test.describe(`with text of 200 % on a phone of ${width} px`, () => {
    test.use({ as: "learner", viewport: { width, height: 740 } });

    test("the logo, the bar at the bottom and the search are not cut off", async ({ page }) => {
      await page.goto("/mypage/settings");
      await settled(page);
      await enlargeText(page);
      const header = page.getByRole("banner");
      await expectWhole(page, header.getByRole("link", { name: "コノマナ TOPへ" }));
      const menu = header.getByRole("button", { name: "メニューを開く" });
      await expect(menu).toBeInViewport({ ratio: 1 });
      for (const place of await page
        .getByRole("navigation", { name: "マイページ" })
        .getByRole("link")
        .all())
        if (await place.isVisible()) await expectWhole(page, place);
      expect(await overflow(page)).toBe(0);

      const search = header.getByRole("button", { name: "サイト内を検索" });
      const logo = header.getByRole("link", { name: "コノマナ TOPへ" });
      const cart = header.getByRole("link", { name: "カート" });
      await expect(cart).toBeInViewport({ ratio: 1 });
      let end = 0;
      for (const part of [logo, search, cart, menu]) {
        const box = await part.boundingBox();
        expect(box?.x).toBeGreaterThanOrEqual(end);
        end = (box?.x ?? 0) + (box?.width ?? 0);
      }

      await search.click();
      const field = page.getByRole("combobox", { name: "サイト内を検索" });
      await expect(field).toBeInViewport({ ratio: 1 });
      expect((await field.boundingBox())?.width).toBeGreaterThanOrEqual(0.7 * width);
      for (const name of ["さがす", "検索を閉じる"])
        await expect(page.getByRole("dialog").getByRole("button", { name })).toBeInViewport({
          ratio: 1,
        });
    });
  });
}

test.describe("on a phone", () => {
  test.use({ as: "learner", viewport: { width: 320, height: 640 }, hasTouch: true });

  test("the places of my page are within reach of the thumb", async ({ page }) => {
    await page.goto("/mypage");
    await settled(page);
    const menu = page.getByRole("navigation", { name: "マイページ" });
    for (const name of ["所有講座", "最近見た", "問題の結果", "設定"]) {
      const place = menu.getByRole("link", { name });
      await expect(place).toBeInViewport();
      const box = await place.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(44);
      await place.tap();
      await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
    }
  });
});
