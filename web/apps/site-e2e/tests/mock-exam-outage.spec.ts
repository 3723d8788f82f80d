/** Sittings during outages. Each ends with every typed answer. */
import { paths } from "@konomana/paths";
import { type Browser, type Page, request } from "@playwright/test";
import { baseURL } from "../fixtures/chromium";
import { answersOf, FREE_EXAM, MATHEMATICS, prepare } from "../fixtures/exams";
import { seriousFaults } from "../fixtures/faults";
import type { Credentials } from "../fixtures/learners";
import { logIn, pageOf, type Person, storageOf } from "../fixtures/people";
import { expect, test } from "../fixtures/product";

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
/** The text that tells where the answer to the open question is stored. */
const place = (page: Page) => page.getByRole("status", { name: "この答えの保存" });
const number = (page: Page) => page.getByLabel("答え（数）");
const timer = (page: Page) => page.getByRole("timer");

/** Opens the second question from the first one. */
async function nextQuestion(page: Page): Promise<void> {
  await page.getByRole("button", { name: "次の問題 →" }).click();
  await expect(heading(page)).toHaveText(/^問題 2 \//);
}

const HOUR = 3_600_000;
/** Nearly all of the 50 minutes. */
const WHOLE_TIME = /^残り(?:50:00|49:\d\d)$/;

interface Candidate {
  credentials: Credentials;
  tokens: Person["tokens"];
  page: Page;
}

/** A learner in a browser of their own, with all steps before the exam done. */
async function candidateOf(browser: Browser, credentials: Credentials): Promise<Candidate> {
  const tokens = await logIn(credentials);
  await prepare({ tokens });
  return { credentials, tokens, page: await pageOf(browser, { tokens }) };
}

/** Starts mathematics at its first question. */
async function start(page: Page): Promise<void> {
  await page.goto(paths.examSitting(FREE_EXAM, { paper: MATHEMATICS }));
  await page.getByRole("button", { name: "始める" }).click();
  await expect(heading(page)).toHaveText(/^問題 1 \/ \d+$/);
}

/** Hands in from the page, and returns the answers to the first two questions. */
async function handIn(page: Page): Promise<string[]> {
  await page.getByRole("link", { name: "提出前の確認へ" }).first().click();
  await page.getByRole("button", { name: "提出する" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "提出する" }).click();
  await expect(heading(page)).toHaveText("数学を提出しました");
  const cells = page.getByRole("row").locator("td:nth-child(2)");
  return [await cells.nth(0).innerText(), await cells.nth(1).innerText()];
}

/** Waits until the exam's screens are cached in the browser. */
async function untilKept(page: Page): Promise<void> {
  await expect
    .poll(() =>
      page.evaluate(async () => {
        const registrations = await navigator.serviceWorker.getRegistrations();
        return registrations.some(({ active }) => active?.state === "activated");
      }),
    )
    .toBe(true);
}

/** The scripts, stylesheets and faces that the page has loaded and that the exam's cache does not have. */
function notKept(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const files = performance
      .getEntriesByType("resource")
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith("/assets/"));
    const kept = await Promise.all(files.map((file) => caches.match(file)));
    return files.filter((_, index) => kept[index] === undefined);
  });
}

/** The data of an exam that is stored in this browser. */
function keptOfExam(page: Page) {
  return page.evaluate(async () => ({
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    caches: await caches.keys(),
    keys: Object.keys(localStorage).filter((key) => /exam-(?:sheet|clock)|running/.test(key)),
  }));
}

test("without a network a reload opens the exam with its questions, answers and clock", async ({
  browser,
  ownLearner,
}) => {
  const { page, tokens } = await candidateOf(browser, ownLearner());
  const context = page.context();
  await start(page);
  await number(page).fill("5");
  await expect(place(page)).toHaveText("保存済み");
  await untilKept(page);
  expect(await notKept(page)).toEqual([]);

  await context.setOffline(true);
  await nextQuestion(page);
  await number(page).fill("1/6");
  await expect(place(page)).toHaveText("端末に保存");
  await page.reload();
  await expect(heading(page)).toHaveText(/^問題 2 \//);
  await expect(number(page)).toHaveValue("1/6");
  await expect(timer(page)).toHaveText(WHOLE_TIME);
  await expect(page.getByText("サーバーにつながっていません")).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await page.getByRole("button", { name: "← 前の問題" }).click();
  await expect(number(page)).toHaveValue("5");
  await expect(place(page)).toHaveText("保存済み");
  await number(page).fill("7");
  await expect(place(page)).toHaveText("端末に保存");
  // A second time, on the page that was opened without the network.
  await page.goto(paths.examCheck(FREE_EXAM, MATHEMATICS));
  await expect(page.getByText(/問中2問に答えました。/)).toBeVisible();

  await context.setOffline(false);
  await expect.poll(() => answersOf({ tokens })).toEqual(["7", "1/6"]);
  await page.getByRole("link", { name: "← 問題にもどる" }).click();
  expect(await handIn(page)).toEqual(["7", "1/6"]);
  await expect.poll(() => keptOfExam(page)).toEqual({ workers: 0, caches: [], keys: [] });
  await context.close();
});

test("a maintenance or a failing server never leaves the exam", async ({ browser, ownLearner }) => {
  const { page, tokens } = await candidateOf(browser, ownLearner());
  await start(page);
  await number(page).fill("5");
  await expect(place(page)).toHaveText("保存済み");
  for (const [status, typed] of [
    [503, "6"],
    [502, "7"],
  ] as const) {
    const body = {
      title: "メンテナンス",
      message: "",
      starts_at: null,
      ends_at: null,
      affected: [],
    };
    await page.route("**/api/**", (route) =>
      route.fulfill({ status, json: body, headers: { "retry-after": "3600" } }),
    );
    await number(page).fill(typed);
    await expect(place(page)).toHaveText("端末に保存");
    await expect(page.getByText("サーバーにつながっていません")).toBeVisible();
    await expect(page).toHaveURL(/\/exam\?/);
    // The state is the same after the next attempt and after a reload.
    await page.reload();
    await expect(number(page)).toHaveValue(typed);
    await expect(page).toHaveURL(/\/exam\?/);
    await page.unroute("**/api/**");
    await page.evaluate(() => globalThis.dispatchEvent(new Event("online")));
    await expect(place(page)).toHaveText("保存済み");
    await expect.poll(() => answersOf({ tokens })).toEqual([typed]);
  }
  await page.context().close();
});

test("a session that ends is taken up again in place, and nothing typed is lost", async ({
  browser,
  ownLearner,
}) => {
  const { page, tokens, credentials } = await candidateOf(browser, ownLearner());
  await start(page);
  const api = await request.newContext({
    baseURL,
    extraHTTPHeaders: { authorization: `Bearer ${tokens.access_token}` },
  });
  expect((await api.post("/api/accounts/logout/")).ok()).toBe(true);
  // Every edge refuses the session within a second.
  await expect.poll(async () => (await api.get("/api/accounts/user/")).status()).toBe(401);
  await api.dispose();

  await number(page).fill("5");
  await expect(place(page)).toHaveText("端末に保存");
  await expect(page.getByText("ログインの期限が切れました")).toBeVisible();
  await expect(page).toHaveURL(/\/exam\?/);
  await nextQuestion(page);
  await number(page).fill("1/6");
  await expect(place(page)).toHaveText("端末に保存");
  await page.getByRole("button", { name: "ログインして送る" }).click();
  const dialog = page.getByRole("dialog", { name: "もう一度ログインする" });
  await dialog.getByLabel("パスワード", { exact: true }).fill("ちがうパスワードです");
  await dialog.getByRole("button", { name: "ログイン", exact: true }).click();
  await expect(dialog.getByText("パスワードが正しくありません。").first()).toBeVisible();
  expect(await seriousFaults(page)).toEqual([]);
  await dialog.getByLabel("パスワード", { exact: true }).fill(credentials.password);
  await dialog.getByRole("button", { name: "ログイン", exact: true }).click();
  await expect(dialog).toBeHidden();
  await expect(place(page)).toHaveText("保存済み");
  expect(await handIn(page)).toEqual(["5", "1/6"]);
  await page.context().close();
});

for (const [name, by] of [
  ["ahead", 3 * HOUR],
  ["behind", -3 * HOUR],
] as const)
  test(`a device whose clock is 3 hours ${name} shows the right time, also after a sleep`, async ({
    browser,
    ownLearner,
  }) => {
    const { page, tokens } = await candidateOf(browser, ownLearner());
    await page.clock.install({ time: Date.now() + by });
    await start(page);
    await expect(timer(page)).toHaveText(WHOLE_TIME);
    await number(page).fill("5");
    await expect(place(page)).toHaveText("保存済み");
    // By the device's clock the deadline passes. The server's clock decides.
    await page.clock.fastForward(HOUR);
    await expect(timer(page)).toHaveText(WHOLE_TIME);
    await number(page).fill("6");
    await expect(place(page)).toHaveText("保存済み");
    await expect.poll(() => answersOf({ tokens })).toEqual(["6"]);
    await page.context().close();
  });

test("one tab answers at a time, and the other one goes on with what it has", async ({
  browser,
  ownLearner,
}) => {
  const { page } = await candidateOf(browser, ownLearner());
  const context = page.context();
  await start(page);
  await number(page).fill("5");
  await expect(place(page)).toHaveText("保存済み");
  const second = await context.newPage();
  await second.goto(paths.examSitting(FREE_EXAM, { paper: MATHEMATICS }));
  await expect(heading(second)).toHaveText("ほかのタブで受験中です");
  await second.getByRole("button", { name: "このタブで続ける" }).click();
  await expect(number(second)).toHaveValue("5");
  await expect(heading(page)).toHaveText("ほかのタブで受験中です");
  await nextQuestion(second);
  await number(second).fill("1/6");
  await second.close();
  // The first tab resumes by itself, with the last answer of the second tab.
  await expect(heading(page)).toHaveText(/^問題/);
  expect(await handIn(page)).toEqual(["5", "1/6"]);
  await context.close();
});

test("a second device takes over with every answer, and storage that was cleared is said", async ({
  browser,
  ownLearner,
}) => {
  const { page, tokens } = await candidateOf(browser, ownLearner());
  await start(page);
  await number(page).fill("5");
  await expect(place(page)).toHaveText("保存済み");

  await test.step("the storage is cleared by hand", async () => {
    const devtools = await page.context().newCDPSession(page);
    const { origin } = new URL(page.url());
    await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
    await expect(page.getByText("この端末の記録が消えています")).toBeVisible();
    await nextQuestion(page);
    await number(page).fill("1/6");
    await expect(place(page)).toHaveText("保存済み");
  });

  const phone = await browser.newContext({
    baseURL,
    locale: "ja-JP",
    viewport: { width: 360, height: 780 },
    storageState: storageOf(tokens),
  });
  const second = await phone.newPage();
  await test.step("the phone takes over", async () => {
    await second.goto(paths.examSitting(FREE_EXAM, { paper: MATHEMATICS }));
    await expect(heading(second)).toHaveText("ほかの端末で受験中です");
    await second.getByRole("button", { name: "この端末で続ける" }).click();
    // It goes on at the question that was answered last.
    await expect(number(second)).toHaveValue("1/6");
    await second.getByRole("button", { name: "← 前の問題" }).click();
    await expect(number(second)).toHaveValue("5");
    await number(second).fill("6");
    await expect(place(second)).toHaveText("保存済み");
  });

  await test.step("the first device hears of it, and takes it back", async () => {
    await number(page).fill("1/7");
    const dialog = page.getByRole("dialog", { name: "ほかの端末に引きつがれました" });
    await expect(dialog).toBeVisible();
    await dialog.getByRole("button", { name: "この端末で続ける" }).click();
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "← 前の問題" }).click();
    await expect(number(page)).toHaveValue("6");
    // Answers that the first device stored before it learned of the take-over count too.
    expect(await handIn(page)).toEqual(["6", "1/7"]);
    await expect(page.getByText("ほかの端末やブラウザへの引きつぎ：2回")).toBeVisible();
  });
  await phone.close();
  await page.context().close();
});
