/** Every public page as search engines, messengers and people without scripts get it. */
import type { Page } from "@playwright/test";
import { namesOf, paths } from "@konomana/paths";
import { startSignUp } from "../fixtures/sign-up";
import { newAddress } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { allScreens, examplePath, inAppAgents, type Screen } from "../fixtures/screens";

const prerendered: readonly Screen[] = allScreens.filter(({ serving }) => serving !== "client");
const listed = prerendered.filter(({ hidden }) => hidden !== true);

/** The path of a screen: its own, or an example of its pattern. */
const pageOf = ({ pattern }: Screen) => examplePath(pattern);

/** The titles of the pages that do not depend on the catalogue. */
const titles: Readonly<Record<string, string>> = {
  "/": "コノマナ｜中学生・高校生のオンライン学習",
  "/course": "講座をさがす｜コノマナ",
  "/notice": "お知らせ｜コノマナ",
  "/inquiry": "よくある質問｜コノマナ",
  "/contact": "お問い合わせ｜コノマナ",
  "/contact/complete": "お問い合わせの送信完了｜コノマナ",
  "/entry-exam": "入試カレンダー｜コノマナ",
  "/success/2025": "2025年 合格実績｜コノマナ",
  "/success/2024": "2024年 合格実績｜コノマナ",
  "/success/2022": "2022年 合格実績｜コノマナ",
  "/student": "生徒のみなさんへ｜コノマナ",
  "/parent": "保護者の方へ｜コノマナ",
  "/about": "コノマナについて｜コノマナ",
  "/konomoshi": "コノ模試｜コノマナ",
  "/konomoshi/receipt": "提出証明を確かめる｜コノマナ",
  "/certificate": "修了証を確かめる｜コノマナ",
  "/konoshiki": "コノシキ｜コノマナ",
  "/konoshiki-eula": "コノシキ利用規約｜コノマナ",
  "/eula": "利用規約｜コノマナ",
  "/privacy": "プライバシーポリシー｜コノマナ",
  "/commerce": "特定商取引法に基づく表記｜コノマナ",
  "/campaign/exam-parent": "受験生の保護者の方へ：冬にできる3つのこと｜コノマナ",
  "/campaign/exam-student": "受験生へ：入試までの12週間の使い方｜コノマナ",
  "/campaign/exam-student-ver1": "受験生へ：苦手を1つだけ、今夜なくそう｜コノマナ",
  "/campaign/summer-2024": "2024年 夏の学び直しキャンペーン（終了しました）｜コノマナ",
  "/line-bridge": "ブラウザで開く｜コノマナ",
  "/tiktok-bridge": "ブラウザで開く｜コノマナ",
};

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  for (const screen of prerendered) {
    test(`${screen.pattern} is complete`, async ({ page, request }) => {
      const path = pageOf(screen);
      const answer = await page.goto(path);
      expect(answer?.status()).toBe(200);
      if (titles[path] === undefined) await expect(page).toHaveTitle(/^.+｜コノマナ$/);
      else await expect(page).toHaveTitle(titles[path]);
      await expect(page.locator("h1")).toHaveCount(1);
      await expect(page.locator("h1")).toBeVisible();
      const text = await page.getByRole("main").innerText();
      // Pages that confirm a completed action are short.
      expect(text.replaceAll(/\s/g, "").length).toBeGreaterThan(screen.hidden ? 40 : 150);
      // No page calls an open capability 準備中.
      for (const sentence of text.split(/[。\n]/).filter((part) => /準備(?:中|して)/.test(part)))
        for (const open of namesOf(true).split("、")) expect(sentence).not.toContain(open);
      const description = page.locator("meta[name=description]");
      await expect(description).toHaveAttribute("content", /.{20,}/);

      const payload = await request.get(`${path === "/" ? "" : path}/_payload.json`);
      expect(payload.status()).toBe(200);
      expect(payload.headers()["content-type"]).toMatch(/^application\/json/);
      expect(await payload.json()).toBeDefined();
    });
  }

  for (const path of ["/mypage", "/login", "/lecture/11"]) {
    test(`${path} shows its header and a loading message`, async ({ page }) => {
      await page.goto(path);
      await expect(page.getByRole("banner").getByRole("link", { name: "コノマナ" })).toBeVisible();
      await expect(page.getByRole("status")).toHaveText("読み込んでいます");
    });
  }

  test("no two pages have the same title", async ({ request }) => {
    const found = await Promise.all(
      listed.map(async (screen) => {
        const html = await (await request.get(pageOf(screen))).text();
        return /<title>(.*?)<\/title>/.exec(html)?.[1];
      }),
    );
    expect(new Set(found).size).toBe(listed.length);
  });
});

for (const screen of listed) {
  test(`${screen.pattern} has its canonical address and an existing picture`, async ({
    page,
    request,
  }) => {
    const path = pageOf(screen);
    await page.goto(path);
    const canonical = await page.locator("link[rel=canonical]").getAttribute("href");
    expect(new URL(canonical ?? "").pathname).toBe(path);
    await expect(page.locator("meta[name=robots]")).toHaveCount(0);

    const property = (name: string) => page.locator(`meta[property="og:${name}"]`);
    await expect(property("url")).toHaveAttribute("content", canonical ?? "");
    await expect(property("title")).toHaveAttribute("content", /コノマナ/);
    await expect(property("image:alt")).toHaveAttribute("content", /./);
    const picture = new URL((await property("image").getAttribute("content")) ?? "");
    const answer = await request.get(picture.pathname);
    expect(answer.status()).toBe(200);
    expect(answer.headers()["content-type"]).toBe("image/png");
  });
}

test("a page renders before its scripts are fetched", async ({ page }) => {
  await page.goto(paths.home());
  await page.getByRole("button", { name: "サイト内を検索" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const { painted, scripts } = await page.evaluate(() => ({
    painted: performance.getEntriesByName("first-paint")[0]?.startTime ?? Infinity,
    scripts: performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js") && !/\/start-[^/]+$/.test(name))
      .map(({ startTime }) => startTime),
  }));
  expect(scripts.length).toBeGreaterThan(2);
  expect(Math.min(...scripts)).toBeGreaterThan(painted);
});

/**
 * The same limit as in the build's check (apps/site/scripts/check-size.ts), which counts by the
 * manifest. Bytes as sent.
 */
const FRONT_PAGE_SCRIPTS = 120_000;

test("the front page loads no more scripts than its budget, also later by itself", async ({
  page,
}) => {
  await page.goto(paths.home());
  await page.waitForLoadState("networkidle");
  const sizes = await page.evaluate(() =>
    performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.endsWith(".js"))
      .map((entry) => (entry as PerformanceResourceTiming).encodedBodySize),
  );
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(FRONT_PAGE_SCRIPTS);
});

/** Opens the front page the given minutes after its build. Returns its API requests for content. */
async function openAfter(page: Page, minutes: number): Promise<string[]> {
  const payload = await page.request.get(`${paths.home()}_payload.json`);
  const { as_of } = (await payload.json()) as { as_of: number };
  await page.clock.setFixedTime(as_of + minutes * 60_000);
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (/^\/api\/(?:lms|desk)\//.test(pathname)) asked.push(pathname);
  });
  await page.goto(paths.home());
  await page.waitForLoadState("networkidle");
  return asked;
}

test.describe("the front page of a build", () => {
  test("sends no API request within the hour", async ({ page }) => {
    expect(await openAfter(page, 59)).toEqual([]);
  });

  test("fetches the catalogue with one request later, whatever its size", async ({ page }) => {
    const asked = await openAfter(page, 61);
    expect(asked.filter((path) => path.startsWith("/api/lms/"))).toEqual(["/api/lms/home/"]);
  });
});

/** Delays the scripts until the returned function is called. */
async function holdScripts(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/index-[^/]+[.]js$/, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

test.describe("before a page is hydrated", () => {
  test("input stays, and a submission is validated after hydration", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto(paths.contact());
    await page.getByLabel("お問い合わせの種類").selectOption({ index: 1 });
    const kind = await page.getByLabel("お問い合わせの種類").inputValue();
    await page.getByLabel("お名前").fill("佐藤 花子");
    await page.getByLabel("メールアドレス").fill("hanako@example.jp");
    await page.getByLabel("お問い合わせの内容").fill("質問");
    await page.getByRole("button", { name: "送信する" }).click();
    release();
    // The minimum length is ten characters.
    await expect(page.getByLabel("お問い合わせの内容")).toHaveAttribute("aria-invalid", "true");
    await expect(page.getByLabel("お問い合わせの種類")).toHaveValue(kind);
    await expect(page.getByLabel("お名前")).toHaveValue("佐藤 花子");
    await expect(page.getByLabel("メールアドレス")).toHaveValue("hanako@example.jp");
    await expect(page.getByLabel("お問い合わせの内容")).toHaveValue("質問");
    await expect(page).toHaveURL(paths.contact());
  });

  test("a press is handled after hydration", async ({ page }) => {
    const release = await holdScripts(page);
    await page.goto(paths.home());
    await page.getByRole("button", { name: "サイト内を検索" }).click();
    release();
    await expect(page.getByRole("dialog")).toBeVisible();
  });
});

test.describe("when a chunk of a page is missing, also after a reload", () => {
  test.use({ provoked: /^Failed to fetch dynamically imported module/ });

  test("its search still works", async ({ page }) => {
    await page.route(/\/assets\/AnswerListScreen-[^/]+[.]js$/, (route) => route.abort());
    await page.goto(paths.answers());
    await expect(page.locator("html[data-scripts=failed]")).toBeAttached();
    await page.getByLabel("質問をさがす").fill("解約");
    await page.getByRole("button", { name: "検索", exact: true }).click();
    await expect(page).toHaveURL(paths.answers({ q: "解約" }));
  });
});

test("the sitemap has every page that is open to search engines", async ({ request }) => {
  const text = await (await request.get("/sitemap.xml")).text();
  const named = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, address]) => new URL(address ?? "").pathname,
  );
  for (const screen of listed) expect(named).toContain(pageOf(screen));
  for (const { pattern } of prerendered.filter(({ hidden }) => hidden))
    expect(named).not.toContain(pattern);
  expect(text).toMatch(/<lastmod>\d{4}-\d{2}-\d{2}/);
  const robots = await (await request.get("/robots.txt")).text();
  expect(robots).toMatch(/^Sitemap: https?:\/\/.+\/sitemap\.xml$/m);
});

for (const screen of prerendered.filter(({ pattern }) => pattern.includes(":id"))) {
  test(`${screen.pattern} with an unknown id has status 404 and links to the top`, async ({
    page,
  }) => {
    const answer = await page.goto(screen.pattern.replace(":id", "999999"));
    expect(answer?.status()).toBe(404);
    await expect(page.getByText("not found", { exact: true })).toBeVisible();
    await expect(
      page.getByText(
        "ページがみつかりません。一時的にアクセスできない状況にあるか、移動もしくは削除された可能性があります。",
        { exact: true },
      ),
    ).toBeVisible();
    await page.getByRole("link", { name: "TOPへ", exact: true }).click();
    await expect(page).toHaveURL("/");
  });
}

test.describe("a bridge", () => {
  const target = `/course?school_year=${encodeURIComponent("中3")}`;
  const query = `?to=${encodeURIComponent(target)}`;

  for (const pattern of ["/line-bridge", "/tiktok-bridge"]) {
    test(`${pattern} is excluded from search engines`, async ({ request }) => {
      const html = await (await request.get(pattern)).text();
      expect(html).toContain('<meta name="robots" content="noindex">');
      expect(html).not.toContain("canonical");
    });

    test(`${pattern} redirects at once in an ordinary browser`, async ({ page }) => {
      await page.goto("/");
      await page.goto(pattern + query);
      await expect(page).toHaveURL(target);
      await page.goBack();
      await expect(page).toHaveURL("/");
    });

    test(`${pattern} redirects only into the site`, async ({ page }) => {
      await page.goto(`${pattern}?to=${encodeURIComponent("https://other.example/")}`);
      await expect(page).toHaveURL("/");
    });
  }

  test.describe("in LINE", () => {
    test.use({ userAgent: inAppAgents["/line-bridge"] ?? "" });

    test("opens the system browser by LINE's parameter", async ({ page, baseURL }) => {
      await page.goto(`/line-bridge${query}`);
      const out = await page.getByRole("link", { name: "ブラウザで開く" }).getAttribute("href");
      const { origin, pathname, searchParams } = new URL(out ?? "");
      expect([origin, pathname]).toEqual([new URL(baseURL ?? "").origin, "/course"]);
      expect(Object.fromEntries(searchParams)).toEqual({
        school_year: "中3",
        openExternalBrowser: "1",
      });
    });
  });
});

test("a campaign is stored by its page and by a link, and is sent with the sign-up", async ({
  page,
}) => {
  await page.goto("/?campaign=line-2026");
  const kept = () => page.evaluate(() => localStorage.getItem("konomana.campaign"));
  await expect.poll(kept).toMatch(/ line-2026$/);
  await page.goto("/campaign/exam-student");
  // Also for a press before hydration.
  await page.getByRole("link", { name: "無料で登録して、計画を立てる" }).first().click();
  await expect(page).toHaveURL("/signup?campaign=exam-student");
  await expect.poll(kept).toMatch(/ exam-student$/);
  const sent = page.waitForRequest(/\/api\/accounts\/signup\/$/);
  await startSignUp(page, newAddress());
  expect((await sent).postDataJSON()).toMatchObject({ campaign: "exam-student" });
});

test("the terms open beside the sign-up, which keeps its input", async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("メールアドレス").fill("reader@demo.example");
  const opened = page.waitForEvent("popup");
  await page.getByRole("main").getByRole("link", { name: "プライバシーポリシー" }).click();
  const terms = await opened;
  await expect(terms).toHaveURL("/privacy");
  await expect(
    terms.getByRole("heading", { name: "プライバシーポリシー", level: 1 }),
  ).toBeVisible();
  await expect(page.getByLabel("メールアドレス")).toHaveValue("reader@demo.example");
});
