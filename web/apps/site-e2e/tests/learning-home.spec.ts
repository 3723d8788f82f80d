/**
 * My page of a learner: the next lesson, the page of a lesson, recently viewed lessons, and notes.
 */
import { randomUUID } from "node:crypto";
import { paths } from "@konomana/paths";
import { request, type Locator, type Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { expect, goOnLink, test } from "../fixtures/product";
import { untriedLesson } from "../fixtures/lessonQuestions";
import { settled } from "../fixtures/screens";

const part = (page: Page, name: string): Locator => page.getByRole("region", { name });

/** API calls with the learner's token, as from another device: without the browser's cookies. */
async function callsOf(page: Page, baseURL: string | undefined) {
  const token = await page.evaluate(() => {
    const kept = JSON.parse(localStorage.getItem("konomana.tokens") ?? "{}") as {
      access_token?: string;
    };
    return kept.access_token ?? "";
  });
  return request.newContext({
    ...(baseURL ? { baseURL } : {}),
    storageState: { cookies: [], origins: [] },
    extraHTTPHeaders: { authorization: `Bearer ${token}` },
  });
}

test.describe("a learner who was here before", () => {
  test.use({ as: "learner" });

  test("continues with the last watched lesson in one press", async ({ page }) => {
    await page.goto("/mypage");
    const answer = page.waitForResponse(/\/api\/lms\/recent\//);
    await page.reload();
    const { results } = (await (await answer).json()) as {
      results: { lesson: { id: number }; is_expired: boolean; is_check: boolean }[];
    };
    const last = results.find(({ is_expired }) => !is_expired);
    await goOnLink(page).click();
    await expect(page).toHaveURL(/\/lecture\/\d+$/);
    if (last && !last.is_check) await expect(page).toHaveURL(`/lecture/${last.lesson.id}`);
  });

  test("sees the week as a chart and as a table", async ({ page }) => {
    await page.goto("/mypage");
    const week = part(page, "この7日間");
    await expect(week.getByRole("img")).toBeVisible();
    await week.getByText("表で見る").click();
    await expect(week.getByRole("table").getByRole("row")).toHaveCount(8);
    await expect(week.getByRole("row").last()).toContainText("今日");
  });

  test("shows the other parts when one fails, and retries only that part", async ({ page }) => {
    await page.route("**/api/lms/week/**", (route) =>
      route.fulfill({
        status: 500,
        contentType: "application/problem+json",
        json: { status: 500, code: "INTERNAL", trace_id: "0af7651916cd43dd8448eb211c80319c" },
      }),
    );
    await page.goto("/mypage");
    const week = part(page, "この7日間");
    await expect(week.getByRole("alert")).toContainText("サーバーで問題が起きました。");
    await expect(goOnLink(page)).toBeVisible();
    await page.unroute("**/api/lms/week/**");
    await week.getByRole("button", { name: "もう一度試す" }).click();
    await expect(week.getByRole("img")).toBeVisible();
  });

  test("reads about a lesson, then plays it; 最近見た links back to it", async ({ page }) => {
    await page.goto("/mypage/recent");
    const name =
      (await page
        .getByRole("main")
        .getByRole("listitem")
        .getByRole("link", { name: /・(つづき|もう一度)を?見る$/ })
        .first()
        .getAttribute("aria-label")) ?? "";
    await page
      .getByRole("link", { name: name.replace(/・[^・]*$/, ""), exact: true })
      .first()
      .click();
    await expect(page).toHaveURL(/\/mypage\/lecture\/\d+/);
    await settled(page);
    for (const title of ["確認の問題", "マイノート", "配布資料"])
      await expect(part(page, title)).toBeVisible();
    expect(await seriousFaults(page)).toEqual([]);
    await page.getByRole("link", { name: "このレッスンを見る" }).click();
    await expect(page).toHaveURL(/\/lecture\/\d+/);
  });

  test("finds a note by a word and jumps to its second", async ({ page, baseURL }) => {
    await page.goto("/mypage");
    await expect(goOnLink(page)).toBeVisible();
    const calls = await callsOf(page, baseURL);
    const word = `りんご${randomUUID().slice(0, 8)}`;
    const note = `/api/lms/note/${randomUUID()}/`;
    const lesson = await untriedLesson(page);
    const made = await calls.put(note, { data: { lesson, at: 65, text: `${word}は apple` } });
    expect(made.status()).toBe(200);

    await page.goto("/mypage/recent?show=note");
    await page.getByRole("searchbox", { name: "ノートをさがす" }).fill(word);
    await page.keyboard.press("Enter");
    await expect(page.getByText(`「${word}」のノート 1件`)).toBeVisible();
    await page.getByRole("link", { name: "1:05から見る" }).click();
    await expect(page).toHaveURL(paths.lecture(lesson, { at: 65 }));

    await page.goto(paths.lesson(lesson));
    await expect(part(page, "マイノート").getByText(word)).toBeVisible();
    expect((await calls.delete(note)).status()).toBe(204);
    await calls.dispose();
  });

  test("opens lessons from the owned course, to play and to read about", async ({ page }) => {
    await page.goto("/mypage/course");
    await page.getByRole("main").locator("li:has(h2)").first().getByRole("link").click();
    await expect(page.getByRole("checkbox").first()).toBeVisible();
    await page
      .getByRole("link", { name: /の内容とノート$/ })
      .first()
      .click();
    await expect(page).toHaveURL(/\/mypage\/lecture\/\d+/);
    await page.goBack();
    await page.getByRole("link", { name: "つづきから見る" }).click();
    await expect(page).toHaveURL(/\/lecture\/\d+/);
  });
});

test.describe("a learner with a course that ends soon", () => {
  test.use({ as: "adult" });

  test("sees what ends soon and what renews automatically", async ({ page }) => {
    await page.goto("/mypage");
    const soon = part(page, "もうすぐ期限の講座");
    await expect(soon.getByRole("listitem").first()).toContainText(/あと[1-7]日/);
    await expect(soon.getByRole("listitem").filter({ hasText: "自動更新" }).first()).toContainText(
      "自動で更新されます",
    );
  });
});

test.describe("a learner whose courses have ended", () => {
  test.use({ as: "expired" });

  test("can buy again, sees the past progress, and can't open a locked video", async ({ page }) => {
    await page.goto("/mypage");
    await settled(page);
    await expect(page.getByRole("link", { name: "もう一度購入する" })).toBeVisible();
    await page.getByRole("link", { name: "学習の記録を見る" }).click();
    await expect(page.getByText("この講座は期限切れです")).toBeVisible();
    await page.getByRole("checkbox").first().waitFor();
    await expect(page.locator('main a[href^="/lecture/"]')).toHaveCount(0);
    await page.locator('main a[href^="/mypage/lecture/"]').first().click();
    await settled(page);
    await expect(page.getByText("この講座は期限切れです")).toBeVisible();
    await expect(page.getByRole("link", { name: "このレッスンを見る" })).toHaveCount(0);
    await page.getByRole("main").getByRole("link", { name: "もう一度購入する" }).click();
    await expect(page).toHaveURL(/\/course\/\d+/);
    await expect(
      page
        .getByRole("main")
        .getByRole("button", { name: /^もう一度購入する/ })
        .first(),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "あとで見る" })).toBeVisible();
  });
});

test("a visitor finds recently viewed courses and can clear them", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  for (const course of [101, 112]) {
    await page.goto(`/course/${course}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect
      .poll(() => page.evaluate(() => localStorage.getItem("konomana.recently-viewed") ?? ""))
      .toContain(String(course));
  }
  await page.goto("/mypage/recent");
  const rows = page.getByRole("main").getByRole("listitem");
  await expect(rows).toHaveCount(2);
  await expect(rows.first().getByRole("link")).toHaveAttribute("href", "/course/112");
  expect(await seriousFaults(page)).toEqual([]);
  expect(await overflow(page)).toBe(0);
  await page.getByRole("button", { name: "記録を消す" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "消す", exact: true }).click();
  await expect(page.getByText("まだ見た講座がありません")).toBeVisible();
  await page.reload();
  await expect(page.getByText("まだ見た講座がありません")).toBeVisible();
});
