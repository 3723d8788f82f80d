/** People who do not learn here themselves: guardians and staff. */
import { expect, test, type Account } from "../fixtures/product";
import { settled } from "../fixtures/screens";

const others: readonly { account: Account; kind: string }[] = [
  { account: "guardian", kind: "保護者" },
  { account: "staff", kind: "スタッフ" },
];

for (const { account, kind } of others) {
  test.describe(kind, () => {
    test.use({ as: account });

    test("have a my page that leads on, and no places that are not theirs", async ({ page }) => {
      await page.goto("/mypage");
      await settled(page);
      await expect(page.getByRole("definition").first()).toHaveText(kind);
      const menu = page.getByRole("navigation", { name: "マイページ" });
      await expect(menu.getByRole("link")).toHaveText(["マイページ", "講座をさがす"]);
      await page.getByRole("main").getByRole("link", { name: "講座を見る" }).click();
      await expect(page).toHaveURL("/course");
    });

    test("are told that a learner's page is not theirs, and come back", async ({ page }) => {
      await page.goto("/mypage/course");
      await expect(page.getByText("このアカウントでは見られないページです。")).toBeVisible();
      await page.getByRole("main").getByRole("link", { name: "マイページへ" }).click();
      await expect(page).toHaveURL("/mypage");
    });
  });
}
