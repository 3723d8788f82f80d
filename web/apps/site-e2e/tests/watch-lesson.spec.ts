import type { Browser, Page } from "@playwright/test";
import { expect, test } from "../fixtures/product";

test.use({ as: "learner" });

/** The fields of a lesson that the tests read. */
interface Lesson {
  id: number;
  duration: number;
  has_video: boolean;
  is_check: boolean;
  watch: { position: number; covered: number } | null;
}

interface Inventory {
  next: string | null;
  results: {
    is_expired: boolean;
    course: { course_chapter: { units: { lessons: { id: number }[] }[] }[] };
  }[];
}

/** Calls the API with the token of the page's learner. */
async function ask<Answer>(page: Page, path: string): Promise<Answer> {
  const token = await page.evaluate(
    () => JSON.parse(localStorage.getItem("konomana.tokens") ?? "{}").access_token as string,
  );
  const answer = await page.request.get(`/api/lms/${path}`, { headers: { authorization: token } });
  expect(answer.status()).toBe(200);
  return (await answer.json()) as Answer;
}

const lessonOf = (page: Page, id: number) => ask<Lesson>(page, `lesson/${id}/`);

/** Unchecked lessons with a video, those of the last watched course first. */
async function* uncheckedLessons(page: Page): AsyncGenerator<{ lesson: Lesson; part: number }> {
  await page.goto("/mypage/course");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  const { results } = await ask<Inventory>(page, "inventory/?sort_by_watchhistory=true");
  for (const item of results.filter(({ is_expired }) => !is_expired)) {
    const units = item.course.course_chapter.flatMap((chapter) => chapter.units);
    for (const { id } of units.flatMap(({ lessons }) => lessons)) {
      const lesson = await lessonOf(page, id);
      const part = (lesson.watch?.covered ?? 0) / lesson.duration;
      if (lesson.has_video && !lesson.is_check) yield { lesson, part };
    }
  }
}

/** A lesson without watched intervals. */
async function newLesson(page: Page): Promise<Lesson> {
  for await (const { lesson, part } of uncheckedLessons(page)) if (part === 0) return lesson;
  throw new Error("The learner has no new lesson.");
}

/** The shortest lesson that is about half watched. */
async function halfWatchedLesson(page: Page): Promise<Lesson> {
  let shortest: Lesson | undefined;
  for await (const { lesson, part } of uncheckedLessons(page))
    if (part > 0.4 && part < 0.6 && lesson.duration < (shortest?.duration ?? Infinity))
      shortest = lesson;
  if (shortest === undefined) throw new Error("The learner has no lesson that is half watched.");
  return shortest;
}

/** The position and the state of the video. */
const video = (page: Page) =>
  page
    .locator("video")
    .evaluate(({ currentTime, paused, ended, muted, seeking, readyState }: HTMLVideoElement) => ({
      currentTime,
      paused,
      ended,
      muted,
      isReady: readyState >= 2 && !seeking,
    }));

/** Opens a lesson and waits for its first frame. */
async function watch(page: Page, { id }: Lesson): Promise<void> {
  await page.goto(`/lecture/${id}`);
  await expect(page.locator("video")).toBeVisible();
  await expect.poll(async () => (await video(page)).isReady, { timeout: 20_000 }).toBe(true);
}

async function play(page: Page): Promise<void> {
  if ((await video(page)).paused)
    await page.getByRole("button", { name: "再生", exact: true }).click();
  await expect.poll(async () => (await video(page)).paused).toBe(false);
}

/** Waits until the video reaches a second. */
async function playsTo(page: Page, second: number): Promise<void> {
  await expect
    .poll(async () => (await video(page)).currentTime, { timeout: 30_000 })
    .toBeGreaterThanOrEqual(second);
}

/** A second browser of the same learner. */
async function otherBrowser(browser: Browser, page: Page): Promise<Page> {
  const storageState = await page.context().storageState();
  const context = await browser.newContext({ storageState, locale: "ja-JP" });
  return context.newPage();
}

test("a lesson continues in another browser where this one was closed", async ({
  page,
  browser,
}) => {
  const lesson = await newLesson(page);
  const other = await otherBrowser(browser, page);
  await watch(page, lesson);
  await play(page);
  await playsTo(page, 8);
  const { currentTime: left } = await video(page);
  await page.close();

  await watch(other, lesson);
  const { currentTime: resumed } = await video(other);
  expect(Math.abs(left - resumed)).toBeLessThanOrEqual(3);
  await other.context().close();
});

/** Browsers with and without native HLS, and how to simulate each. */
const WAYS = [
  ["is handed a video's parts", /^blob:/, () => {}],
  [
    "plays a list of a video's parts by itself",
    /\.m3u8$/,
    () => Object.assign(globalThis, { WebKitPlaybackTargetAvailabilityEvent: Event }),
  ],
] as const;

for (const [way, source, prepare] of WAYS) {
  test(`a browser that ${way} plays, seeks, changes the resolution and reaches the end`, async ({
    page,
  }) => {
    await page.addInitScript(prepare);
    const lesson = await newLesson(page);
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await watch(page, lesson);
    expect(await page.locator("video").evaluate(({ src }: HTMLVideoElement) => src)).toMatch(
      source,
    );
    await play(page);
    const { currentTime: before } = await video(page);
    await playsTo(page, before + 2);

    await page.getByRole("button", { name: "再生の設定" }).click();
    await page.getByLabel("画質").selectOption("360p");
    await expect.poll(() => asked.some((url) => url.endsWith("/360p/init.mp4"))).toBe(true);
    await expect.poll(async () => (await video(page)).isReady).toBe(true);
    asked.length = 0;
    await page.keyboard.press("5");
    await playsTo(page, lesson.duration / 2 + 1);
    expect(asked.filter((url) => url.includes("/720p/"))).toEqual([]);

    await page.keyboard.press("9");
    for (let leaps = 0; leaps * 10 < lesson.duration / 10 + 20; leaps++)
      await page.keyboard.press("l");
    await expect(page.getByRole("group", { name: "レッスンのおわり" })).toBeVisible({
      timeout: 20_000,
    });
  });
}

test("seeking to the end does not complete a lesson", async ({ page }) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  await play(page);
  const told = page.waitForResponse(`**/api/lms/lesson/${lesson.id}/beat/`);
  await page.keyboard.press("9");
  for (let leaps = 0; leaps * 10 < lesson.duration / 10 + 20; leaps++)
    await page.keyboard.press("l");
  await expect(page.getByRole("group", { name: "レッスンのおわり" })).toBeVisible({
    timeout: 20_000,
  });
  expect((await told).status()).toBe(200);
  await expect(page.getByRole("checkbox", { name: "学習済みにする" })).not.toBeChecked();
  const { watch: seen, is_check } = await lessonOf(page, lesson.id);
  expect(is_check).toBe(false);
  expect(seen?.covered ?? 0).toBeLessThan(lesson.duration / 2);
});

test("watching a lesson checks it, and the check can be removed", async ({ page }) => {
  // The lesson has 9 minutes, of which 3.5 are left. At the player's highest speed, beyond which
  // nothing counts, they take 70 s.
  test.setTimeout(240_000);
  const lesson = await halfWatchedLesson(page);
  await watch(page, lesson);
  await play(page);
  await page.locator("video").evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 3;
  });
  const check = page.getByRole("checkbox", { name: "学習済みにする" });
  await expect(check).toBeChecked({ timeout: 180_000 });
  const { watch: seen } = await lessonOf(page, lesson.id);
  expect(seen?.covered ?? 0).toBeGreaterThanOrEqual(lesson.duration * 0.9);

  const taken = page.waitForResponse((response) => response.request().method() === "DELETE");
  await check.click();
  expect((await taken).status()).toBe(204);
});

test("intervals watched offline are reported after the reconnect, also after a reload", async ({
  page,
  context,
}) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  await play(page);
  await playsTo(page, 3);
  await context.setOffline(true);
  await playsTo(page, 9);
  await page.keyboard.press("k");
  const { currentTime: left } = await video(page);
  await expect
    .poll(() =>
      page.evaluate(() =>
        Object.keys(localStorage).some((key) => key.startsWith("konomana.heartbeats.")),
      ),
    )
    .toBe(true);

  const told = page.waitForResponse(
    (response) => response.url().endsWith(`/lesson/${lesson.id}/beat/`) && response.ok(),
  );
  await context.setOffline(false);
  await page.reload();
  await told;
  await expect
    .poll(async () => (await lessonOf(page, lesson.id)).watch?.position)
    .toBe(Math.ceil(left));
});

test("a page that fails to load offline opens later, and the lesson continues", async ({
  page,
  context,
}) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  const lessons = page.getByRole("navigation", { name: "この講座のレッスン" }).getByRole("link");
  await expect(lessons.last()).toBeVisible();
  await play(page);
  await context.setOffline(true);
  const { currentTime: before } = await video(page);
  for (const link of [lessons.last(), page.getByRole("link", { name: "コノマナ" })]) {
    await link.click();
    await expect(page.getByRole("alert").filter({ hasText: "つながらない" })).toBeVisible();
    expect(new URL(page.url()).pathname).toBe(`/lecture/${lesson.id}`);
  }
  await playsTo(page, before + 2);

  await context.setOffline(false);
  await page.getByRole("button", { name: "もう一度" }).click();
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a video stopped by a lost connection continues by itself", async ({ page, context }) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  const ahead = () =>
    page
      .locator("video")
      .evaluate(({ buffered, currentTime }: HTMLVideoElement) => buffered.end(0) - currentTime);
  await expect.poll(ahead).toBeGreaterThan(10);
  await context.setOffline(true);
  await play(page);
  await page.locator("video").evaluate((element: HTMLVideoElement) => {
    element.playbackRate = 16;
  });
  // At this speed the browser may stop with some seconds of video left.
  let last = Infinity;
  const hasStopped = async () => {
    const before = last;
    last = await ahead();
    return last === before && last < 5;
  };
  await expect.poll(hasStopped, { timeout: 20_000, intervals: [500] }).toBe(true);
  const { currentTime: stopped } = await video(page);
  await context.setOffline(false);
  await playsTo(page, stopped + 5);
});

test("the current page of the hand-out is shown beside the video", async ({ page }) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  await page.getByRole("tab", { name: "資料" }).click();
  const first = page.getByRole("img", { name: "テキストの1ページ" });
  await expect(first).toBeVisible();
  await expect
    .poll(() => first.evaluate(({ naturalWidth }: HTMLImageElement) => naturalWidth))
    .toBeGreaterThan(300);
});

test("keys type in the note and do not control the video", async ({ page }) => {
  const lesson = await newLesson(page);
  await watch(page, lesson);
  if (!(await video(page)).paused) await page.keyboard.press("k");
  const before = await video(page);
  await page.keyboard.press("n");
  const field = page.getByLabel("ノートを書く");
  await expect(field).toBeFocused();
  await page.keyboard.type("k j l m 5 , .");
  await expect(page.getByRole("textbox")).toHaveValue("k j l m 5 , .");
  expect(await video(page)).toEqual(before);

  await page.getByRole("button", { name: "ノートを保存" }).click();
  const notes = page.getByRole("list", { name: "このレッスンのノート" });
  await expect(notes).toContainText("k j l m 5 , .");
  await page.reload();
  await page.getByRole("tab", { name: "ノート" }).click();
  await expect(notes).toContainText("k j l m 5 , .");
  await notes
    .getByRole("button", { name: /のノートを削除$/ })
    .last()
    .click();
  await page.getByRole("dialog").getByRole("button", { name: "削除する" }).click();
  await expect(page.getByText("k j l m 5 , .")).toHaveCount(0);
});

test("a third player of one learner asks before it takes over a stream", async ({
  page,
  browser,
}) => {
  const lesson = await newLesson(page);
  const second = await otherBrowser(browser, page);
  const third = await otherBrowser(browser, page);
  for (const one of [page, second]) {
    await watch(one, lesson);
    await play(one);
  }
  await third.goto(`/lecture/${lesson.id}`);
  await expect(third.getByRole("alert").filter({ hasText: "2か所" })).toBeVisible();
  await third.getByRole("button", { name: "こちらで見る" }).click();
  await expect.poll(async () => (await video(third)).isReady, { timeout: 20_000 }).toBe(true);
  await second.context().close();
  await third.context().close();
});
