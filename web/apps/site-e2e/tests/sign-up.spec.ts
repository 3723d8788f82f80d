import { codeIn, linkIn, mailTo } from "../fixtures/mail";
import { newAddress } from "../fixtures/people";
import { accounts, expect, fillLogin, test } from "../fixtures/product";
import {
  choosePassword,
  expectWelcome,
  newPassword,
  startSignUp,
  tellPerson,
  typeCode,
} from "../fixtures/sign-up";

const CODE = /(?<!\d)\d{6}(?!\d)/;

test("by the code: from the front page to my page, and again at the login", async ({ page }) => {
  const email = newAddress();
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "新規登録" }).click();
  await expect(page.getByRole("heading", { name: "新規登録", level: 1 })).toBeVisible();
  await startSignUp(page, email);
  await typeCode(page, codeIn(await mailTo(email, CODE)));
  await tellPerson(page);
  await expectWelcome(page);

  await page
    .getByRole("navigation", { name: "マイページ" })
    .getByRole("button", { name: "ログアウト" })
    .click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("main").getByText("ログアウトしました。")).toBeVisible();
  await fillLogin(page, email, newPassword);
  await expectWelcome(page);
});

test("from a course: returns to it at the end, with the course bookmarked", async ({ page }) => {
  const email = newAddress();
  await page.goto("/course/105");
  await page.getByRole("link", { name: "無料登録して、あとで見るに入れる" }).click();
  await expect(page).toHaveURL("/signup?course=105");
  await expect(page.getByRole("heading", { name: "新規登録", level: 1 })).toBeVisible();
  await startSignUp(page, email);
  await typeCode(page, codeIn(await mailTo(email, CODE)));
  await tellPerson(page);
  await expect(page).toHaveURL("/course/105");
  await expect(page.getByRole("button", { name: "「あとで見る」に入っています" })).toBeVisible();

  await page.goto("/mypage");
  await expect(page.getByRole("heading", { level: 1 })).toContainText("山田 花子さん、ようこそ");
  await page.getByRole("link", { name: "2. 「あとで見る」に入れておく" }).click();
  await expect(page.getByRole("main").getByRole("listitem")).toHaveCount(1);
});

test("by the link: the token leaves the address, only the button uses it, and only once", async ({
  page,
  context,
}) => {
  const email = newAddress();
  await startSignUp(page, email);
  const link = linkIn(await mailTo(email, CODE), "/signup/verify");

  // Simulates a mail scanner that runs scripts.
  const scanner = await context.newPage();
  await scanner.goto(link);
  await expect(scanner.getByRole("button", { name: "登録を続ける" })).toBeVisible();
  await expect(scanner).toHaveURL("/signup/verify");
  await scanner.close();

  await page.goto(link);
  await expect(page).toHaveURL("/signup/verify");
  await page.reload();
  await page.getByRole("button", { name: "登録を続ける" }).click();
  await choosePassword(page, newPassword);
  await tellPerson(page);
  await expectWelcome(page);

  const again = await context.newPage();
  await again.goto(link);
  await again.getByRole("button", { name: "登録を続ける" }).click();
  await expect(
    again.getByRole("alert").filter({ hasText: "このリンクは使えません" }),
  ).toBeVisible();
});

test("by the link on another device, which the first one notices", async ({
  page,
  browser,
  baseURL,
}) => {
  const email = newAddress();
  await startSignUp(page, email, "保護者");
  const link = linkIn(await mailTo(email, CODE), "/signup/verify");

  const phone = await browser.newContext({ baseURL: baseURL ?? "", locale: "ja-JP" });
  const other = await phone.newPage();
  await other.goto(link);
  await other.getByRole("button", { name: "登録を続ける" }).click();
  await expect(other).toHaveURL("/signup/complete");
  await expect(page.getByText("メールアドレスを確認できました")).toBeVisible();
  // The person who opened the link may not be the one who typed the first password.
  const own = "kiiro no fune 5528";
  await choosePassword(other, own);
  await tellPerson(other);
  await expectWelcome(other);
  await expect(page.getByText("登録が終わっています")).toBeVisible();
  await page.goto("/login");
  await fillLogin(page, email, newPassword);
  await expect(page.getByText("メールアドレスまたはパスワードが正しくありません。")).toBeVisible();
  await fillLogin(page, email, own);
  await expectWelcome(page);
  await phone.close();
});

test("an address with an account: the screen shows the same, its owner gets a mail", async ({
  page,
}) => {
  await startSignUp(page, accounts.second);
  await expect(page.getByText(accounts.second)).toBeVisible();
  await mailTo(accounts.second, /すでに/);
  await typeCode(page, "123456");
  await expect(page.getByRole("alert").filter({ hasText: "確認コードがちがいます" })).toBeVisible();
});

test("a wrong code shows a message; the right one still works", async ({ page }) => {
  const email = newAddress();
  await startSignUp(page, email);
  const code = codeIn(await mailTo(email, CODE));
  await typeCode(page, code === "000000" ? "000001" : "000000");
  await expect(page.getByRole("alert").filter({ hasText: "確認コードがちがいます" })).toBeVisible();
  await typeCode(page, code);
  await expect(page).toHaveURL("/signup/complete");
});

test("without a network the input stays and can be sent after the reconnect", async ({
  page,
  context,
}) => {
  const email = newAddress();
  await page.goto("/signup");
  await page.getByLabel("生徒").check();
  await page.getByLabel("メールアドレス").fill(email);
  const password = page.getByLabel("パスワード", { exact: true });
  await password.fill(newPassword);
  await page.getByLabel("利用規約およびプライバシーポリシーに同意します").check();
  await context.setOffline(true);
  await page.getByRole("button", { name: "確認メールを送る" }).click();
  await expect(page.getByText("インターネットにつながりません。")).toBeVisible();
  await expect(password).toHaveValue(newPassword);
  await context.setOffline(false);
  await page.getByRole("button", { name: "確認メールを送る" }).click();
  await expect(page).toHaveURL("/signup/verify");
});
