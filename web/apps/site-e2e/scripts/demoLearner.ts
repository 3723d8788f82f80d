/** A signed-in demo learner with content on every screen, for Lighthouse. */
import type { Page } from "@playwright/test";
import { known } from "../fixtures/lessonQuestions.ts";

/** A lesson with questions in a course of the learner. */
const LESSON = 103010101;

interface List<Row> {
  results: Row[];
}

/** Signs the learner in through the login screen. */
export async function signIn(page: Page, origin: string): Promise<void> {
  await page.goto(new URL("/login", origin).href);
  await page.getByLabel("メールアドレス").fill("adult@demo.example");
  await page.getByLabel("パスワード", { exact: true }).fill("demo-konomana-2026");
  const form = page.getByRole("form", { name: "ログイン" });
  await form.getByRole("button", { name: "ログイン" }).click();
  await page.waitForURL("**/mypage");
}

/** The paths of the learning screens. The page must be open and the learner signed in. */
export async function learningPaths(page: Page): Promise<string[]> {
  const [item] = (await known<List<{ id: number }>>(page, "inventory/")).results;
  const asked = `lesson/${LESSON}/question/`;
  const [question] = (await known<List<{ id: number; graded: object | null }>>(page, asked))
    .results;
  if (!item || !question) throw new Error("The learner has no course, or its lesson no question.");
  const ask = `/lecture/${LESSON}/question/${question.id}`;
  if (question.graded === null) await answer(page, ask);
  const [result] = (await known<List<{ id: number; lesson: { id: number } }>>(page, "result/"))
    .results;
  if (!result) throw new Error("The answer has no result.");
  return [
    "/mypage",
    "/mypage/course",
    `/mypage/learnning/${item.id}`,
    `/mypage/lecture/${LESSON}`,
    "/mypage/bookmark",
    "/mypage/favorite",
    "/mypage/recent",
    "/mypage/recent?show=note",
    "/mypage/result",
    `/lecture/${LESSON}`,
    ask,
    `/lecture/${result.lesson.id}/result/${result.id}`,
  ];
}

/**
 * The network and CPU of the phone that Lighthouse simulates: 1.6 Mbit/s, 150 ms, a quarter of the
 * speed.
 */
const CONNECTION = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
};
const SLOWDOWN = 4;

/** When a lesson shows its first video frame, in milliseconds. */
export interface FirstFrame {
  /** After the load event of its page. */
  afterLoad: number;
  /** After the navigation began. The scripts of the page take most of this time. */
  afterStart: number;
}

/**
 * Opens a lesson on Lighthouse's phone with an empty cache, for the learner who is signed in on
 * `page`.
 */
export async function firstFrame(page: Page, origin: string): Promise<FirstFrame> {
  const storageState = await page.context().storageState();
  const context = await page.context().browser()?.newContext({ storageState });
  if (context === undefined) throw new Error("The browser has gone.");
  try {
    const fresh = await context.newPage();
    const devtools = await context.newCDPSession(fresh);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", CONNECTION);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
    await fresh.goto(new URL(`/lecture/${LESSON}`, origin).href);
    const frame = await frameAfterLoad(fresh);
    // A page that is left ends its stream. A learner can have two at a time.
    const ended = fresh.waitForResponse((response) => response.url().includes("/lms/stream/"));
    await fresh.evaluate(() => dispatchEvent(new PageTransitionEvent("pagehide")));
    await ended;
    return frame;
  } finally {
    await context.close();
  }
}

function frameAfterLoad(page: Page): Promise<FirstFrame> {
  return page.evaluate(async () => {
    const frame = await new Promise<number>((resolve) => {
      const look = () => {
        const video = document.querySelector("video");
        if ((video?.readyState ?? 0) >= HTMLMediaElement.HAVE_CURRENT_DATA)
          resolve(performance.now());
        else setTimeout(look, 10);
      };
      look();
    });
    const [loaded] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    return { afterLoad: frame - (loaded?.loadEventEnd ?? 0), afterStart: frame };
  });
}

/** Answers a question with its first choice. */
async function answer(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  const main = page.getByRole("main");
  const choice = main.locator("input[type=radio], input[type=checkbox]").first();
  const field = main.getByRole("textbox");
  await choice.or(field).waitFor();
  if (await choice.isVisible()) await choice.check();
  else await field.fill("1");
  const answered = page.waitForResponse((response) => response.url().endsWith("/answer/"));
  await page.getByRole("button", { name: "答える" }).click();
  await answered;
}
