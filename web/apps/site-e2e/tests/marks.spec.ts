import { paths } from "@konomana/paths";
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../fixtures/product";
import { known } from "../fixtures/lessonQuestions";

test.use({ as: "learner" });

/** Opens the last watched course. */
async function openCourse(page: Page): Promise<void> {
  await page.goto("/mypage/course");
  await page.getByRole("main").locator("li:has(h2)").first().getByRole("link").click();
  await expect(page.getByRole("checkbox").first()).toBeVisible();
}

/** A course of the demo that the learner does not own. */
async function findOtherCourse(page: Page): Promise<number> {
  const { results } = await known<{ results: { course: { id: number } }[] }>(page, "inventory/");
  const owned = new Set(results.map(({ course }) => course.id));
  const other = [101, 102, 103, 104, 105, 106, 107].find((id) => !owned.has(id));
  if (other === undefined)
    throw new Error("The learner owns more courses than cargo dev fill gives.");
  return other;
}

const bar = (page: Page) => page.getByRole("progressbar").first();
const unchecked = (page: Page) => page.getByRole("checkbox", { checked: false }).last();

/** The same control, located by its current name, because its state may change. */
async function byItsName(page: Page, role: "checkbox" | "button", found: Locator) {
  const name = (await found.getAttribute("aria-label")) ?? "";
  return page.getByRole(role, { name, exact: true });
}

/** Presses a control and waits for the response. */
async function press(page: Page, control: Locator, method: "PUT" | "DELETE"): Promise<void> {
  const answer = page.waitForResponse((response) => response.request().method() === method);
  await control.click();
  expect((await answer).status()).toBe(204);
}

test("a check is set, shows in the progress, survives a reload and is removed again", async ({
  page,
}) => {
  await openCourse(page);
  const before = Number(await bar(page).getAttribute("aria-valuenow"));
  const lesson = await byItsName(page, "checkbox", unchecked(page));

  await press(page, lesson, "PUT");
  await expect(lesson).toBeChecked();
  expect(Number(await bar(page).getAttribute("aria-valuenow"))).toBeGreaterThan(before);

  await page.reload();
  await expect(lesson).toBeChecked();

  await press(page, lesson, "DELETE");
  await expect(lesson).not.toBeChecked();
  await page.reload();
  await expect(lesson).not.toBeChecked();
  await expect(bar(page)).toHaveAttribute("aria-valuenow", String(before));
});

test("a favorite is listed under its course until it is removed", async ({ page }) => {
  await openCourse(page);
  const course = await page.getByRole("heading", { level: 1 }).textContent();
  const star = await byItsName(
    page,
    "button",
    page.getByRole("button", { name: "お気に入りにする", pressed: false }).last(),
  );
  await press(page, star, "PUT");
  await expect(star).toHaveAttribute("aria-pressed", "true");

  await page
    .getByRole("navigation", { name: "マイページ" })
    .getByRole("link", { name: "お気に入り" })
    .click();
  const group = page.getByRole("region", { name: course ?? "", exact: true });
  await expect(group).toBeVisible();
  await expect(star).toHaveAttribute("aria-pressed", "true");
  await press(page, star, "DELETE");
  await expect(star).toHaveAttribute("aria-pressed", "false");

  await page.reload();
  await expect(page.getByRole("heading", { name: "お気に入り", level: 1 })).toBeVisible();
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
  await expect(star).toHaveCount(0);
});

test("a course is bookmarked and removed again", async ({ page }) => {
  await openCourse(page);
  const course = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
  const later = page.getByRole("main").getByRole("button", { name: "あとで見る" });
  const wasOn = (await later.getAttribute("aria-pressed")) === "true";
  if (wasOn) await press(page, later, "DELETE");
  await press(page, later, "PUT");

  await page.goto("/mypage/bookmark");
  const listed = page.getByRole("button", { name: `${course}をあとで見る` });
  await expect(listed).toHaveAttribute("aria-pressed", "true");
  if (!wasOn) await press(page, listed, "DELETE");
});

test("without a connection a course is not shown as bookmarked, and the reason is shown", async ({
  page,
  context,
}) => {
  await page.goto(paths.mypage());
  await page.goto(paths.course(await findOtherCourse(page)));
  const later = page.getByRole("button", { name: "あとで見る" });
  await expect(later).toHaveAttribute("aria-pressed", "false");
  await context.setOffline(true);
  await later.click();
  await expect(page.getByRole("alert").filter({ hasText: "あとで見る" })).toContainText(
    "「あとで見る」に入れられませんでした。インターネットにつながりません。",
  );
  await expect(later).toHaveAttribute("aria-pressed", "false");
  await context.setOffline(false);
});

test("a mark that the server refuses is reverted with the reason", async ({
  page,
  context,
  baseURL,
}) => {
  await openCourse(page);
  const lesson = await byItsName(page, "checkbox", unchecked(page));
  // A cookie that the server did not sign. The server refuses the call and sends a valid cookie.
  await context.addCookies([{ name: "XSRF-TOKEN", value: "forged.forged", url: baseURL ?? "" }]);

  await lesson.click();
  await expect(page.getByRole("alert").filter({ hasText: "学習済みチェック" })).toContainText(
    "学習済みチェックをつけられませんでした。確認のしるしが古くなっていました。もう一度お試しください。",
  );
  await expect(lesson).not.toBeChecked();

  await press(page, lesson, "PUT");
  await expect(lesson).toBeChecked();
  await press(page, lesson, "DELETE");
});

test("a mark made while the network is cut is reverted and can be made again", async ({
  page,
  context,
}) => {
  await openCourse(page);
  const lesson = await byItsName(page, "checkbox", unchecked(page));
  await context.setOffline(true);
  await lesson.click();
  await expect(page.getByRole("alert").filter({ hasText: "学習済みチェック" })).toContainText(
    "インターネットにつながりません。",
  );
  await expect(lesson).not.toBeChecked();

  await context.setOffline(false);
  await press(page, lesson, "PUT");
  await page.reload();
  await expect(lesson).toBeChecked();
  await press(page, lesson, "DELETE");
});

test("quick presses on one mark reach the server in order", async ({ page }) => {
  await openCourse(page);
  const lesson = await byItsName(page, "checkbox", unchecked(page));
  const methods: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/lms/check/")) methods.push(request.method());
  });
  const done = page.waitForResponse((response) => response.request().method() === "DELETE");
  await lesson.click();
  await lesson.click();
  await done;
  await expect(lesson).not.toBeChecked();
  expect(methods).toEqual(["PUT", "DELETE"]);
  await page.reload();
  await expect(lesson).not.toBeChecked();
});
