import {
  accounts,
  expect,
  fillLogin,
  goOnLink,
  loginButton,
  password,
  test,
} from "../fixtures/product";

test("a learner signs in and sees their courses", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "ログイン" }).click();
  await expect(page.getByRole("heading", { name: "ログイン", level: 1 })).toBeVisible();
  await fillLogin(page, accounts.adult, password);

  await expect(page).toHaveURL("/mypage");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("さん、おかえりなさい");
  await expect(goOnLink(page)).toBeVisible();

  await page
    .getByRole("navigation", { name: "マイページ" })
    .getByRole("link", { name: "所有講座" })
    .click();
  await expect(page.getByRole("heading", { name: "所有講座", level: 1 })).toBeVisible();
  const cards = page.getByRole("main").locator("li:has(h2)");
  await expect(cards).toHaveCount(10);
  // Nothing is visible of a bar without any check.
  await expect(cards.first().getByRole("progressbar")).toHaveAttribute("aria-valuenow", /^\d+$/);

  await page.reload();
  await expect(cards).toHaveCount(10);
});

test("a wrong password shows a message, and the input stays", async ({ page }) => {
  await page.goto("/login");
  await fillLogin(page, accounts.second, "まちがったパスワード");
  await expect(
    page.getByRole("alert").filter({ hasText: "ログインできませんでした" }),
  ).toContainText("メールアドレスまたはパスワードが正しくありません。");
  await expect(page).toHaveURL("/login");
  await expect(page.getByLabel("メールアドレス")).toHaveValue(accounts.second);
  await expect(page.getByLabel("パスワード", { exact: true })).toHaveValue("まちがったパスワード");
  await expect(loginButton(page)).toBeEnabled();
});

test("a field error appears when the field loses focus", async ({ page }) => {
  await page.goto("/login");
  const email = page.getByLabel("メールアドレス");
  await email.fill("adult@demo");
  await email.blur();
  await expect(email).toHaveAccessibleDescription("メールアドレスの形式が正しくありません。");
  await email.fill("a..b@docomo.ne.jp");
  await email.blur();
  await expect(email).not.toHaveAttribute("aria-invalid", "true");

  await loginButton(page).click();
  const secret = page.getByLabel("パスワード", { exact: true });
  await expect(secret).toHaveAccessibleDescription("パスワードを入力してください。");
  await expect(secret).toBeFocused();
});

test("the password can be shown and hidden, and password managers know both fields", async ({
  page,
}) => {
  await page.goto("/login");
  const secret = page.getByLabel("パスワード", { exact: true });
  await secret.fill("ひみつ");
  await expect(secret).toHaveAttribute("type", "password");
  await page.getByRole("button", { name: "パスワードの表示を切り替える" }).click();
  await expect(secret).toHaveAttribute("type", "text");
  await expect(secret).toHaveAttribute("autocomplete", "current-password");
  await expect(page.getByLabel("メールアドレス")).toHaveAttribute("autocomplete", "username");
});

test.describe("a signed-in learner", () => {
  test.use({ as: "learner" });

  test("is not asked to sign in again", async ({ page }) => {
    await page.goto("/login");
    await expect(page).toHaveURL("/mypage");
  });
});

for (const path of ["/mypage/favorite?course=104", "/mypage/course?state=expired"]) {
  test(`a visitor who opens ${path} signs in and returns to it`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL("/login");
    await expect(page.getByText("続けるにはログインしてください。")).toBeVisible();
    await fillLogin(page, accounts.adult, password);
    await expect(page).toHaveURL(path);
    await expect(page.getByRole("main").getByRole("listitem").first()).toBeVisible();
  });
}
