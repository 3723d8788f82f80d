/** Accounts without courses of their own: guardians and staff. */
import { expect, test, type Account } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** The number of unread ones follows. */
const NOTICES = /^お知らせ/;

/** `sign` is content that only their own my page has. `places` are the links of its menu. */
const others: readonly {
  account: Account;
  kind: string;
  sign: string;
  places: (string | RegExp)[];
}[] = [
  {
    account: "guardian",
    kind: "保護者",
    sign: "8文字のコード",
    places: ["マイページ", NOTICES, "イベント", "講座をさがす", "ご注文履歴", "クーポン", "設定"],
  },
  {
    account: "staff",
    kind: "スタッフ",
    sign: "スタッフ",
    places: ["マイページ", NOTICES, "イベント", "講座をさがす", "設定"],
  },
];

for (const { account, kind, sign, places } of others) {
  test.describe(kind, () => {
    test.use({ as: account });

    test("have a my page with links, and no menu items of other roles", async ({ page }) => {
      await page.goto("/mypage");
      await settled(page);
      await expect(page.getByText(sign, { exact: true })).toBeVisible();
      const menu = page.getByRole("navigation", { name: "マイページ" });
      await expect(menu.getByRole("link")).toHaveText(places);
      await menu.getByRole("link", { name: "講座をさがす" }).click();
      await expect(page).toHaveURL("/course");
    });

    test("see that a learner's page is not theirs, and return", async ({ page }) => {
      await page.goto("/mypage/course");
      await expect(page.getByText("このアカウントでは見られないページです。")).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "マイページへ" }).click();
      await expect(page).toHaveURL("/mypage");
    });
  });
}
