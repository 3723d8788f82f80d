import { close, open } from "../fixtures/maintenance";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

test.use({ as: "learner" });

test.afterEach(open);

/** The page polls the maintenance every 15 s. */
const NEXT_WORD = { timeout: 30_000 };

test("a closed site shows the reason and the end, and returns to the previous page", async ({
  page,
}) => {
  await page.goto("/mypage/course");
  await settled(page);
  await close({
    title: "定期メンテナンス",
    message: "教材の入れかえをしています。",
    endsAt: new Date(Date.now() + 3_600_000),
  });

  await expect(async () => {
    await page.goto("/mypage/bookmark");
    await expect(page).toHaveURL("/maintenance", { timeout: 3000 });
  }).toPass();
  await expect(page.getByRole("heading", { name: "定期メンテナンス", level: 1 })).toBeVisible();
  await expect(page.getByText("教材の入れかえをしています。")).toBeVisible();
  await expect(page.getByRole("timer")).toBeVisible();

  await page.reload();
  await expect(page.getByRole("heading", { name: "定期メンテナンス", level: 1 })).toBeVisible();

  await open();
  await expect(page).toHaveURL("/mypage/bookmark", NEXT_WORD);
  await expect(page.getByRole("heading", { name: "あとで見る", level: 1 })).toBeVisible();
});

test("public pages stay readable during maintenance", async ({ page }) => {
  await close({ title: "定期メンテナンス", message: "教材の入れかえをしています。" });
  await page.goto("/course/101");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
});

test("a maintenance planned for the next day is announced until it is dismissed", async ({
  page,
}) => {
  await close({
    title: "システムメンテナンスのお知らせ",
    message: "教材の入れかえをします。",
    startsAt: new Date(Date.now() + 2 * 3_600_000),
    endsAt: new Date(Date.now() + 4 * 3_600_000),
  });
  const notice = page.getByRole("region", { name: "メンテナンスの予告" });
  await expect(async () => {
    await page.goto("/");
    await expect(notice).toContainText("サイト全体をご利用いただけません。", { timeout: 3000 });
  }).toPass();
  await page.goto("/mypage/course");
  await expect(notice).toContainText("システムメンテナンスのお知らせ");
  await notice.getByRole("button", { name: "予告を閉じる" }).click();
  await expect(notice).toBeHidden();
  const answered = page.waitForResponse("**/api/maintenance/");
  await page.reload();
  await answered;
  await settled(page);
  await expect(notice).toBeHidden();
});
