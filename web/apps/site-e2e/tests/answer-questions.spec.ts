import { paths } from "@konomana/paths";
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { expect, test } from "../fixtures/product";
import {
  answer,
  isAnswer,
  type Outcome,
  questionsOf,
  untriedLesson,
} from "../fixtures/lessonQuestions";

test.use({ as: "learner" });

/** Fields of a question that must not be sent before the graded attempt. */
const SECRETS = new Set(["key", "explanation", "is_right", "watch_again_at"]);

/** The names of secret fields in a response, at any depth. */
function secretsIn(told: unknown): string[] {
  if (typeof told !== "object" || told === null) return [];
  return Object.entries(told).flatMap(([name, value]) => [
    ...(SECRETS.has(name) && value !== null ? [name] : []),
    ...secretsIn(value),
  ]);
}

/** Records the responses about questions, except the results of answers. */
async function listen(page: Page): Promise<unknown[]> {
  const told: unknown[] = [];
  await page.route(/\/(?:question|lesson)\/\d+\//, async (route) => {
    if (isAnswer(route.request())) return route.continue();
    const response = await route.fetch();
    if (response.headers()["content-type"]?.includes("json")) told.push(await response.json());
    return route.fulfill({ response });
  });
  return told;
}

test("a learner answers every question of a lesson, reads the result, and practises", async ({
  page,
}) => {
  await page.goto("/mypage");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const lesson = await untriedLesson(page);
  const ids = await questionsOf(page, lesson);
  const outcomes: Outcome[] = [];

  await test.step("the key is told with the graded try and never before", async () => {
    const told = await listen(page);
    await page.goto(paths.question(lesson, ids[0] ?? 0));
    await expect(page.getByText("採点は1回だけです。練習は何度でもできます。")).toBeVisible();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(`問題 1 / ${ids.length}`);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    expect(told.length).toBeGreaterThan(0);
    expect(told.flatMap(secretsIn)).toEqual([]);
  });

  await test.step("one question after the other", async () => {
    for (const [index] of ids.entries()) {
      outcomes.push(await answer(page));
      await expect(page.getByText("正しい答え").first()).toBeVisible();
      expect(await seriousFaults(page)).toEqual([]);
      const last = index === ids.length - 1;
      await page
        .getByRole("main")
        .getByRole("link", { name: last ? "結果を見る" : "次の問題へ" })
        .click();
      if (!last)
        await expect(page.getByRole("heading", { level: 1 })).toHaveText(
          `問題 ${index + 2} / ${ids.length}`,
        );
    }
  });

  await test.step("the result", async () => {
    const right = outcomes.filter(({ is_right }) => is_right).length;
    await expect(page).toHaveURL(new RegExp(`/lecture/${lesson}/result/\\d+$`));
    await expect(page.getByText(`${right} / ${ids.length}問正解`)).toBeVisible();
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.setViewportSize({ width: 1264, height: 900 });
  });

  await test.step("a question that was tried keeps its outcome", async () => {
    await page.goto(paths.question(lesson, ids[0] ?? 0));
    const verdict = outcomes[0]?.is_right ? "正解です" : "不正解です";
    await expect(page.getByRole("heading", { name: verdict, exact: true })).toBeVisible();
    await expect(page.getByRole("button", { name: "答える" })).toHaveCount(0);
    await page.goBack();
  });

  await test.step("practice, now that the keys are known", async () => {
    await page.getByRole("button", { name: "もう一度練習する" }).click();
    await expect(page).toHaveURL(/\?result=\d+$/);
    for (const [index, { key }] of outcomes.entries()) {
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(
        `問題 ${index + 1} / ${ids.length}`,
      );
      expect((await answer(page, key)).is_right).toBe(true);
      await page
        .getByRole("main")
        .getByRole("link", { name: /^(?:結果を見る|次の問題へ)$/ })
        .first()
        .click();
    }
    await expect(page.getByText(`${ids.length} / ${ids.length}問正解`)).toBeVisible();
  });

  await test.step("both rounds are among all results", async () => {
    await page.goto(paths.results());
    const rows = page.getByRole("region", { name: "すべての結果" }).getByRole("listitem");
    await expect(rows.first()).toContainText("練習");
    await expect(rows.nth(1)).toContainText("採点");
    await expect(page.getByRole("figure").first()).toBeVisible();
  });
});

test("an answer whose request is cut off survives a reload and is sent again", async ({
  page,
  context,
}) => {
  await page.goto("/mypage");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const lesson = await untriedLesson(page);
  const [first = 0] = await questionsOf(page, lesson);
  await page.goto(paths.question(lesson, first));
  const place = page.getByRole("main").locator("input").first();
  const typed = (await place.evaluate(({ type }: HTMLInputElement) => type)) === "text";
  await (typed ? place.fill("1") : place.check());

  await context.setOffline(true);
  await page.getByRole("button", { name: "答える" }).click();
  await expect(page.getByText(/インターネットにつながりません/)).toBeVisible();
  await context.setOffline(false);
  await page.reload();
  await (typed ? expect(place).toHaveValue("1") : expect(place).toBeChecked());

  const sent = page.waitForResponse((response) => isAnswer(response.request()));
  await page.getByRole("button", { name: "答える" }).click();
  expect((await sent).status()).toBe(200);
  await expect(page.getByRole("heading", { name: /^(?:不)?正解です$/ })).toBeVisible();
});
