/** Passkeys, with an authenticator that Chromium itself plays. */
import type { Page } from "@playwright/test";
import { namedOrigin, newPerson, pageOf } from "../fixtures/people";
import { expect, loginButton, test } from "../fixtures/product";

/** Gives the page a device with a finger that is always recognised. */
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

test("a passkey is added and named, signs in without a password, and is removed", async ({
  browser,
}) => {
  const person = await newPerson();
  const page = await pageOf(browser, person, { origin: namedOrigin });
  await plugIn(page);
  await page.goto("/mypage/settings/password");
  await page.getByRole("button", { name: "パスキーを追加する" }).click();
  const form = page.getByRole("form", { name: "パスキーの追加" });
  await form.getByLabel("パスキーの名前").fill("自分のスマホ");
  await form.getByLabel("いまのパスワード").fill(person.password);
  await form.getByRole("button", { name: "追加する" }).click();
  const passkeys = page.getByRole("list", { name: "パスキー" }).getByRole("listitem");
  await expect(passkeys).toContainText("自分のスマホ");
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
    page.getByText("このパスキーは、どのアカウントにも登録されていません。"),
  ).toBeVisible();
});

test("who has no passkey is told the other way in", async ({ page }) => {
  await page.goto(`${namedOrigin}/login`);
  await plugIn(page);
  await page.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect(page.getByText(/^パスキーを使えませんでした。/)).toBeVisible();
});

test("at a bare address nothing is offered that cannot work", async ({ page, browser }) => {
  await page.goto("/login");
  await expect(loginButton(page)).toBeVisible();
  await expect(page.getByRole("button", { name: "パスキーでログイン" })).toHaveCount(0);
  const signedIn = await pageOf(browser, await newPerson());
  await signedIn.goto("/mypage/settings/password");
  await expect(signedIn.getByText(/^数字のアドレス/)).toBeVisible();
});
