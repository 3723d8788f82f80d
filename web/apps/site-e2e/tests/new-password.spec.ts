import { linkIn, mailTo } from "../fixtures/mail";
import { newAddress, newPerson, pageOf } from "../fixtures/people";
import { accounts, expect, fillLogin, loginButton, password, test } from "../fixtures/product";

const RESET = "/login/password/reset/";
const another = "asagiri no mori 2983";

test("a forgotten password: the mail's link works once and ends every session", async ({
  page,
  browser,
}) => {
  const person = await newPerson();
  const elsewhere = await pageOf(browser, person);
  await elsewhere.goto("/mypage");
  await expect(elsewhere.getByRole("heading", { level: 1 })).toContainText("木下");

  await page.goto("/login");
  await page.getByRole("link", { name: "パスワードを忘れた方" }).click();
  await expect(page).toHaveURL("/login/password");
  await page.getByLabel("メールアドレス").fill(person.email);
  await page.getByRole("button", { name: "メールを送る" }).click();
  await expect(page.getByText("メールをお送りしました")).toBeVisible();
  const link = linkIn(await mailTo(person.email, /\/login\/password\/reset\//), RESET);

  await page.goto(link);
  await expect(page).toHaveURL("/login/password/reset");
  await page.reload();
  await page.getByLabel("新しいパスワード").fill("konomana2026");
  await page.getByRole("button", { name: "パスワードを変える" }).click();
  await expect(page.getByLabel("新しいパスワード")).toHaveAccessibleDescription(
    /推測されやすいパスワードです。/,
  );
  await page.getByLabel("新しいパスワード").fill(another);
  await page.getByRole("button", { name: "パスワードを変える" }).click();
  await expect(page).toHaveURL("/login/password/reset/complete");

  await page.goto(link);
  await expect(page.getByText("このリンクは使えません。")).toBeVisible();

  await elsewhere.reload();
  await expect(elsewhere).toHaveURL("/login");
  await expect(
    elsewhere.getByText(/^別の端末での操作により、ログインが終了しました。/),
  ).toBeVisible();
  await elsewhere.context().close();

  await page.goto("/login");
  await fillLogin(page, person.email, person.password);
  await expect(page.getByText("メールアドレスまたはパスワードが正しくありません。")).toBeVisible();
  await page.getByLabel("パスワード", { exact: true }).fill(another);
  await loginButton(page).click();
  await expect(page).toHaveURL("/mypage");
});

test("an address without an account gets the same answer", async ({ page }) => {
  await page.goto("/login/password");
  await page.getByLabel("メールアドレス").fill(newAddress());
  await page.getByRole("button", { name: "メールを送る" }).click();
  await expect(page.getByText("メールをお送りしました")).toBeVisible();
});

test("an account that must change its password does so at the login and is signed in", async ({
  page,
}) => {
  await page.goto("/mypage/favorite");
  await fillLogin(page, accounts.change, password);
  await expect(page).toHaveURL("/login/password/change");
  await expect(page.getByLabel("メールアドレス")).toHaveValue(accounts.change);
  await page.getByLabel("新しいパスワード").fill(password);
  await page.getByRole("button", { name: "変えてログインする" }).click();
  await expect(page.getByLabel("新しいパスワード")).toHaveAccessibleDescription(
    /推測されやすいパスワードです。/,
  );
  await page.getByLabel("新しいパスワード").fill(another);
  await page.getByRole("button", { name: "変えてログインする" }).click();
  await expect(page).toHaveURL("/mypage/favorite");

  await page.goto("/mypage");
  await page
    .getByRole("navigation", { name: "マイページ" })
    .getByRole("button", { name: "ログアウト" })
    .click();
  await expect(page).toHaveURL("/login");
  await fillLogin(page, accounts.change, another);
  await expect(page).toHaveURL("/mypage");
});
