import { paths } from "@konomana/paths";
import type { Page } from "@playwright/test";
import { FREE_EXAM, JAPANESE, MATHEMATICS, prepare } from "../fixtures/exams";
import { overflow, seriousFaults } from "../fixtures/faults";
import { logIn, pageOf } from "../fixtures/people";
import { expect, test } from "../fixtures/product";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
/** The save state of the open question's answer. */
const place = (page: Page) => page.getByRole("status", { name: "この答えの保存" });
const number = (page: Page) => page.getByLabel("答え（数）");

test("a learner takes a paper through a network failure and a reload, and hands it in", async ({
  browser,
  ownLearner,
}) => {
  const tokens = await logIn(ownLearner());
  await prepare({ tokens });
  const page = await pageOf(browser, { tokens });
  const context = page.context();

  await test.step("the time begins with the start", async () => {
    await page.goto(paths.examSitting(FREE_EXAM));
    await page.getByRole("link", { name: "数学を選ぶ" }).click();
    await expect(heading(page)).toHaveText("数学を始めます");
    await page.getByRole("button", { name: "始める" }).click();
    await expect(heading(page)).toHaveText(/^問題 1 \/ \d+$/);
    await expect(page.getByRole("timer")).toHaveText(/^残り(?:50:00|49:\d\d)$/);
    await expect(page.getByRole("navigation", { name: "マイページ" })).toHaveCount(0);
  });

  await test.step("an answer is saved by itself", async () => {
    await number(page).fill("5");
    await expect(place(page)).toHaveText("保存済み");
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  await test.step("without a network it goes on, on the device", async () => {
    await context.setOffline(true);
    await page.getByRole("button", { name: "次の問題 →" }).click();
    await expect(heading(page)).toHaveText(/^問題 2 \//);
    await number(page).fill("1/6");
    await expect(place(page)).toHaveText("端末に保存");
    await expect(page.getByText("サーバーにつながっていません")).toBeVisible();
    await page.getByRole("checkbox", { name: "あとで見直す" }).check();
  });

  await test.step("with the network all of it arrives", async () => {
    await context.setOffline(false);
    await expect(place(page)).toHaveText("保存済み");
    await expect(page.getByText("サーバーにつながっていません")).toHaveCount(0);
  });

  await test.step("a reload opens the same question with its answer", async () => {
    await page.reload();
    await expect(heading(page)).toHaveText(/^問題 2 \//);
    await expect(number(page)).toHaveValue("1/6");
    await expect(page.getByRole("checkbox", { name: "あとで見直す" })).toBeChecked();
  });

  await test.step("on a phone it fits", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  await test.step("before it is handed in, what is open is shown", async () => {
    await page.getByRole("link", { name: "提出前の確認へ" }).click();
    await expect(heading(page)).toHaveText("数学の提出前の確認");
    await expect(page.getByText(/問中2問に答えました。/)).toBeVisible();
    await expect(
      page.getByRole("navigation", { name: "あとで見直す問題" }).getByRole("link"),
    ).toHaveText(["問題2"]);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
    await page.getByRole("button", { name: "提出する" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "提出する" }).click();
  });

  await test.step("what was handed in has its digest", async () => {
    await expect(page).toHaveURL(paths.examHandedIn(FREE_EXAM, MATHEMATICS));
    await expect(heading(page)).toHaveText("数学を提出しました");
    await expect(page.getByLabel("ダイジェスト")).toHaveText(/^[\da-f]{64}$/);
    // Less than a second on a question is not recorded.
    await expect(page.getByRole("row").nth(1)).toHaveText(/^15\d+:\d\d:\d\d(?:[\d分]*\d秒|—)$/);
    await expect(page.getByRole("row").nth(2)).toHaveText(/^21\/6\d+:\d\d:\d\d(?:[\d分]*\d秒|—)$/);
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  await test.step("and the next subject is offered", async () => {
    await page.getByRole("link", { name: "次へ" }).click();
    await expect(heading(page)).toHaveText("おつかれさまでした");
    await expect(page.getByRole("link", { name: /^次の教科「.+」へ$/ })).toBeVisible();
    await page.goto(paths.examSitting(FREE_EXAM, { paper: MATHEMATICS }));
    await expect(heading(page)).toHaveText("教科を選ぶ");
  });
  await context.close();
});

test("a learner draws an answer, also without a network, and sees it after the hand-in", async ({
  browser,
  ownLearner,
}) => {
  const tokens = await logIn(ownLearner());
  await prepare({ tokens });
  const page = await pageOf(browser, { tokens });
  const context = page.context();
  const sheet = page.getByRole("img", { name: /^手書き/ });
  const draw = async (y: number) => {
    const box = (await sheet.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width * 0.2, box.y + box.height * y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * y, { steps: 5 });
    await page.mouse.up();
  };

  await test.step("a drawing is saved", async () => {
    await page.goto(paths.examSitting(FREE_EXAM, { paper: JAPANESE }));
    await page.getByRole("button", { name: "始める" }).click();
    await expect(heading(page)).toHaveText(/^問題 1 \//);
    await page.getByRole("button", { name: /^問題 ?16\b/ }).click();
    await page.getByRole("button", { name: "手書きで答える" }).click();
    await sheet.scrollIntoViewIfNeeded();
    await draw(0.3);
    await expect(place(page)).toHaveText("保存済み");
    expect(await seriousFaults(page)).toEqual([]);
  });

  await test.step("without a network it goes on, on the device, and arrives later", async () => {
    await context.setOffline(true);
    await draw(0.6);
    await expect(place(page)).toHaveText("端末に保存");
    await context.setOffline(false);
    await expect(place(page)).toHaveText("保存済み");
  });

  await test.step("a reload shows it, and on a phone it fits", async () => {
    await page.reload();
    await expect(page.getByRole("img", { name: "いまの答えの画像" })).toBeVisible();
    await page.setViewportSize({ width: 360, height: 740 });
    await page.getByRole("button", { name: "手書きで答える" }).click();
    await expect(sheet).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });

  await test.step("the handed-in answer is the picture", async () => {
    await page.getByRole("link", { name: "提出前の確認へ" }).click();
    await page.getByRole("button", { name: "提出する" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "提出する" }).click();
    await expect(heading(page)).toHaveText("国語を提出しました");
    await expect(page.getByRole("img", { name: "問題16の答え" })).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  });
  await context.close();
});
