/** Passkeys, with Chromium's virtual authenticator. */
import type { Locator, Page } from "@playwright/test";
import { linkIn, mailTo } from "../fixtures/mail";
import { namedOrigin, newPerson, pageOf } from "../fixtures/people";
import { expect, fillLogin, loginButton, test } from "../fixtures/product";

/** Adds a virtual authenticator that always verifies the user. */
async function plugIn(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("WebAuthn.enable");
  await browser.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

/** Adds the passkey 自分のスマホ. Returns the rows of the list. */
async function addPasskey(page: Page, password: string): Promise<Locator> {
  await page.goto("/mypage/settings/password");
  await page.getByRole("button", { name: "パスキーを追加する" }).click();
  const form = page.getByRole("form", { name: "パスキーの追加" });
  await form.getByLabel("パスキーの名前").fill("自分のスマホ");
  await form.getByLabel("いまのパスワード").fill(password);
  await form.getByRole("button", { name: "追加する" }).click();
  const passkeys = page.getByRole("list", { name: "パスキー" }).getByRole("listitem");
  await expect(passkeys).toContainText("自分のスマホ");
  return passkeys;
}

test("a passkey is added and named, signs in without a password, and is removed", async ({
  browser,
}) => {
  const person = await newPerson();
  const page = await pageOf(browser, person, { origin: namedOrigin });
  await plugIn(page);
  const passkeys = await addPasskey(page, person.password);
  await expect(passkeys).toContainText("まだ使っていません");

  await page.getByRole("button", { name: "自分のスマホの名前を変える" }).click();
  await page.getByLabel("新しい名前").fill("古いスマホ");
  await page.getByRole("button", { name: "この名前にする" }).click();
  await expect(passkeys).toContainText("古いスマホ");

  const menu = page.getByRole("navigation", { name: "マイページ" });
  await menu.getByRole("button", { name: "ログアウト" }).click();
  await expect(page).toHaveURL(`${namedOrigin}/login`);
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(page).toHaveURL(`${namedOrigin}/mypage/settings/password`);
  await expect(passkeys).toContainText("最後に使った日時");

  await page.getByRole("button", { name: "古いスマホを削除する" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "削除する" }).click();
  await expect(passkeys).toHaveCount(0);
  await menu.getByRole("button", { name: "ログアウト" }).click();
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(
    page.getByText("このパスキーではログインできません。パスワードでログインしてください。"),
  ).toBeVisible();
});

test("after a password reset a passkey can't sign in until its owner keeps it", async ({
  browser,
}) => {
  const person = await newPerson();
  const page = await pageOf(browser, person, { origin: namedOrigin });
  await plugIn(page);
  await addPasskey(page, person.password);
  const menu = page.getByRole("navigation", { name: "マイページ" });
  await menu.getByRole("button", { name: "ログアウト" }).click();
  await expect(page).toHaveURL(`${namedOrigin}/login`);

  const next = "midori no oka 41 ban";
  await page.goto("/login/password");
  await page.getByLabel("メールアドレス").fill(person.email);
  await page.getByRole("button", { name: "メールを送る" }).click();
  const mail = await mailTo(person.email, /\/login\/password\/reset\//);
  await page.goto(linkIn(mail, "/login/password/reset/"));
  await page.getByLabel("新しいパスワード").fill(next);
  await page.getByRole("button", { name: "パスワードを変える" }).click();
  await expect(page).toHaveURL(`${namedOrigin}/login/password/reset/complete`);

  await page.goto("/login");
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(page.getByText(/^このパスキーではログインできません。/)).toBeVisible();
  await fillLogin(page, person.email, next);
  await expect(page).toHaveURL(`${namedOrigin}/mypage/settings/password`);
  await page.goto("/mypage");
  await page.getByRole("link", { name: "パスキーを確かめる" }).click();
  await page.getByRole("button", { name: "自分のスマホを使いつづける" }).click();
  const form = page.getByRole("form", { name: "自分のスマホを使いつづける" });
  await form.getByLabel("いまのパスワード").fill(next);
  await form.getByRole("button", { name: "使えるようにする" }).click();
  await expect(page.getByText("使えなくなっているパスキーがあります")).toHaveCount(0);

  await menu.getByRole("button", { name: "ログアウト" }).click();
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(page).toHaveURL(`${namedOrigin}/mypage/settings/password`);
});

test("without a passkey, the screen names the other way to sign in", async ({ page }) => {
  await page.goto(`${namedOrigin}/login`);
  await plugIn(page);
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(page.getByText(/^パスキーを使えませんでした。/)).toBeVisible();
});

test("at an IP address passkeys are not offered, because they can't work", async ({
  page,
  browser,
}) => {
  await page.goto("/login");
  await expect(loginButton(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "パスキーでログイン" })).toHaveCount(0);
  const signedIn = await pageOf(browser, await newPerson());
  await signedIn.goto("/mypage/settings/password");
  await expect(signedIn.getByText(/^数字のアドレス/)).toBeVisible();
});
