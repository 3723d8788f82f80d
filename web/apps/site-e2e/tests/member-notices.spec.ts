/** The notices for a signed-in person. */
import { newBuyer } from "../fixtures/orders";
import { pageOf } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

test("a notice that is read on one device is read on the other within seconds", async ({
  page,
  browser,
}) => {
  const person = await newBuyer(page);
  const phone = await pageOf(browser, person);
  await phone.goto("/mypage");
  const onPhone = phone.getByRole("navigation", { name: "マイページ" });
  const badge = onPhone.getByRole("link", { name: /^お知らせ 未読\d+件$/ });
  await expect(badge).toBeVisible();
  const before = Number(/\d+/.exec(await badge.innerText())?.[0]);

  await page.goto("/mypage/notice");
  await settled(page);
  const rows = page.getByRole("list", { name: "お知らせの一覧" }).getByRole("listitem");
  await expect(rows.first()).toContainText("未読");
  const title = await rows.first().getByRole("heading").innerText();
  await rows.first().getByRole("link").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
  const left = new RegExp(`未読${before - 1}件`);
  const own = page.getByRole("navigation", { name: "マイページ" });
  await expect(own.getByRole("link", { name: left })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "← あなたへのお知らせ" }).click();
  await expect(rows.first().getByRole("heading")).not.toHaveText(title);

  // The other device stays open and asks again by itself.
  await expect(onPhone.getByRole("link", { name: left })).toBeVisible({ timeout: 25_000 });
});

test.describe("a learner of the third year of high school", () => {
  test.use({ as: "second" });

  test("reads the notice for the school year, and none for others", async ({ page }) => {
    await page.goto("/mypage/notice");
    const list = page.getByRole("list", { name: "お知らせの一覧" });
    await expect(list.getByText("高校3年生のみなさんへ")).toBeVisible();
    await expect(list.getByText("中学3年生のみなさんへ")).toHaveCount(0);
    await expect(list.getByText("三者面談の前に")).toHaveCount(0);
    await page.goto("/mypage/notice/20");
    await expect(page.getByText(/^ページがみつかりません/)).toBeVisible();
  });
});
