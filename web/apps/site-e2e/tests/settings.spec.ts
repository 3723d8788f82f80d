/** Account settings. Each test signs up its own people. */
import { readFile } from "node:fs/promises";
import { overflow, seriousFaults } from "../fixtures/faults";
import { linkIn, mailTo } from "../fixtures/mail";
import { newAddress, newPerson, pageOf, logIn } from "../fixtures/people";
import { expect, fillLogin, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

test("the profile is changed, and every tab shows it", async ({ browser }) => {
  const page = await pageOf(browser, await newPerson());
  const other = await page.context().newPage();
  await other.goto("/mypage");
  await expect(other.getByRole("heading", { level: 1 })).toContainText("木下 葵さん");

  await page.goto("/mypage/settings");
  await page.getByRole("main").getByRole("link", { name: "基本情報" }).click();
  await page.getByLabel("姓", { exact: true }).fill("木上");
  await page.getByLabel("セイ（フリガナ）").fill("きのうえ");
  await page.getByLabel("学校名").fill("みどり大学");
  await page.getByRole("button", { name: "保存する" }).click();
  await expect(page.getByText("基本情報を保存しました。")).toBeVisible();
  await expect(page.getByLabel("セイ（フリガナ）")).toHaveValue("キノウエ");
  await expect(other.getByRole("heading", { level: 1 })).toContainText("木上 葵さん");

  await page.getByRole("link", { name: "設定にもどる" }).click();
  await expect(page.getByText("木上 葵さん・既卒・みどり大学")).toBeVisible();
});

test("a new address is active once its link is used, and the old one can revert it", async ({
  browser,
}) => {
  const person = await newPerson();
  const wanted = newAddress();
  const page = await pageOf(browser, person);
  await page.goto("/mypage/settings/email");
  await page.getByRole("textbox", { name: "新しいメールアドレス" }).fill(wanted);
  await page.getByLabel("いまのパスワード").fill("まちがったパスワード");
  await page.getByRole("button", { name: "確認のメールを送る" }).click();
  const password = page.getByLabel("いまのパスワード");
  await expect(password).toHaveAccessibleDescription("パスワードが正しくありません。");
  await password.fill(person.password);
  await page.getByRole("button", { name: "確認のメールを送る" }).click();
  await expect(page.getByText("まだ変更は終わっていません。")).toBeVisible();

  const confirmation = await mailTo(wanted, /\/confirm\/email#/);
  await page.goto(linkIn(confirmation, "/confirm/email"));
  await page.getByRole("button", { name: "メールアドレスを変える" }).click();
  await expect(page.getByRole("heading", { name: "メールアドレスを変えました" })).toBeVisible();
  await page.getByRole("link", { name: "マイページへ" }).click();
  await page.goto("/mypage/settings/email");
  await expect(page.getByText(wanted)).toBeVisible();

  const warning = await mailTo(person.email, /\/confirm\/undo#/);
  const owner = await (await browser.newContext()).newPage();
  await owner.goto(linkIn(warning, "/confirm/undo"));
  await owner.getByRole("button", { name: "もとに戻す" }).click();
  await expect(owner.getByRole("heading", { name: "もとに戻しました" })).toBeVisible();
  // An ended session is refused within a second.
  await expect(async () => {
    await page.reload();
    await expect(page).toHaveURL("/login", { timeout: 2000 });
  }).toPass({ timeout: 10_000 });
  // The person who changed the address knew the password. Only the owner can set a new one.
  await fillLogin(page, person.email, person.password);
  await expect(page.getByText("メールアドレスまたはパスワードが正しくありません。")).toBeVisible();
  await owner.getByRole("link", { name: "新しいパスワードを決める" }).click();
  await owner.getByLabel("メールアドレス").fill(person.email);
  await owner.getByRole("button", { name: "メールを送る" }).click();
  const reset = linkIn(
    await mailTo(person.email, /\/login\/password\/reset\//),
    "/login/password/reset/",
  );
  await owner.goto(reset);
  const next = "shiroi kumo no ue 6";
  await owner.getByLabel("新しいパスワード").fill(next);
  await owner.getByRole("button", { name: "パスワードを変える" }).click();
  await expect(owner).toHaveURL("/login/password/reset/complete");
  await fillLogin(page, person.email, next);
  await expect(page.getByText(person.email)).toBeVisible();
});

test("the old address is informed of a change of address at once and stops it", async ({
  browser,
}) => {
  const person = await newPerson();
  const wanted = newAddress();
  const page = await pageOf(browser, person);
  await page.goto("/mypage/settings/email");
  await page.getByRole("textbox", { name: "新しいメールアドレス" }).fill(wanted);
  await page.getByLabel("いまのパスワード").fill(person.password);
  await page.getByRole("button", { name: "確認のメールを送る" }).click();
  await expect(page.getByText("まだ変更は終わっていません。")).toBeVisible();

  const owner = await (await browser.newContext()).newPage();
  await owner.goto(linkIn(await mailTo(person.email, /\/confirm\/stop#/), "/confirm/stop"));
  await owner.getByRole("button", { name: "変更を止める" }).click();
  await expect(owner.getByRole("heading", { name: "変更を止めました" })).toBeVisible();

  await page.goto(linkIn(await mailTo(wanted, /\/confirm\/email#/), "/confirm/email"));
  await page.getByRole("button", { name: "メールアドレスを変える" }).click();
  await expect(page.getByText("このリンクは使えません。")).toBeVisible();
  await page.goto("/mypage/settings/email");
  await expect(page.getByText(person.email)).toBeVisible();
});

test("a minor asks a guardian, who consents through the link of the mail", async ({ browser }) => {
  const page = await pageOf(browser, await newPerson({ birthDate: "2013-04-02" }));
  const guardian = newAddress();
  await page.goto("/mypage/settings");
  await expect(page.getByText("保護者の同意が必要です")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "基本情報" }).click();
  const form = page.getByRole("form", { name: "保護者の同意" });
  await form.getByLabel("保護者の方のお名前").fill("木下 恵");
  await form.getByLabel("続柄").selectOption("母");
  await form.getByLabel("保護者の方のメールアドレス").fill(guardian);
  await form.getByRole("button", { name: "同意をお願いするメールを送る" }).click();
  await expect(page.getByText("保護者の方にメールをお送りしました。メール")).toBeVisible();
  // Within a minute the mail is not sent again, and a message says so.
  await form.getByRole("button", { name: "もう一度メールを送る" }).click();
  await expect(form.getByText(/メールを送ったばかりです。/)).toBeVisible();

  const mail = await mailTo(guardian, /\/confirm\/guardian#/);
  const elsewhere = await (await browser.newContext()).newPage();
  await elsewhere.goto(linkIn(mail, "/confirm/guardian"));
  await expect(elsewhere.getByText("木下 恵さま。")).toBeVisible();
  await elsewhere.getByLabel("保護者の方ご自身のお名前").fill("木下 恵");
  await elsewhere.getByLabel("私は18歳以上で、お子さまの保護者です。").check();
  for (const width of [360, 1280]) {
    await elsewhere.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(elsewhere)).toEqual([]);
    expect(await overflow(elsewhere)).toBe(0);
  }
  await elsewhere.getByRole("button", { name: "同意する" }).click();
  await expect(elsewhere.getByRole("heading", { name: "同意を受け付けました" })).toBeVisible();

  await page.reload();
  await expect(page.getByText("保護者の方の同意を確認しました。")).toBeVisible();

  // A change to an adult's birth date needs the guardian's approval. The guardian rejects it and
  // withdraws consent.
  await page.getByRole("group", { name: "生年月日" }).getByLabel("年").fill("2000");
  await page.getByRole("button", { name: "保存する" }).click();
  await expect(page.getByText("生年月日の変更を確認しています")).toBeVisible();
  const change = await mailTo(guardian, /\/confirm\/birth-date#/);
  await elsewhere.goto(linkIn(change, "/confirm/birth-date"));
  await expect(elsewhere.getByText("2000年4月2日")).toBeVisible();
  await elsewhere.getByRole("button", { name: "断る" }).click();
  await expect(elsewhere.getByRole("heading", { name: "変更を断りました" })).toBeFocused();
  await page.reload();
  await expect(page.getByText("生年月日の変更を確認しています")).toHaveCount(0);

  const receipt = await mailTo(guardian, /\/confirm\/withdraw#/);
  await elsewhere.goto(linkIn(receipt, "/confirm/withdraw"));
  await elsewhere.getByRole("button", { name: "同意を取り消す" }).click();
  await expect(elsewhere.getByRole("heading", { name: "同意を取り消しました" })).toBeVisible();
  await page.reload();
  await expect(page.getByText(/18歳未満の方が講座を購入するには/)).toBeVisible();
});

test("a password is changed: this device stays signed in, the others do not", async ({
  browser,
}) => {
  const person = await newPerson();
  const next = "akai tsuki no 9 yoru";
  const page = await pageOf(browser, person);
  const other = await pageOf(browser, { tokens: await logIn(person, "other") });
  await other.goto("/mypage/settings");
  await settled(other);
  await page.goto("/mypage/settings/password");
  await page.getByLabel("いまのパスワード").fill(person.password);
  await page.getByLabel("新しいパスワード").fill(next);
  await page.getByRole("button", { name: "変更する" }).click();
  await expect(page.getByText("パスワードを変更しました。")).toBeVisible();

  await expect(async () => {
    await other.goto("/mypage/settings/devices");
    await expect(other).toHaveURL("/login", { timeout: 2000 });
  }).toPass();
  await page.goto("/mypage/settings/devices");
  await expect(page.getByText("この端末", { exact: true })).toBeVisible();
  await fillLogin(other, person.email, next);
  await expect(other).toHaveURL("/mypage/settings/devices");
});

test("another device is signed out from the list of devices, and then every one", async ({
  browser,
}) => {
  const phone =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1";
  const person = await newPerson();
  const page = await pageOf(browser, person);
  const other = await pageOf(browser, { tokens: await logIn(person, phone) }, { userAgent: phone });
  await other.goto("/mypage");
  await settled(other);

  await page.goto("/mypage/settings/devices");
  await page.getByRole("button", { name: "iPhone の Safariをログアウトさせる" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "ログアウトさせる" }).click();
  await expect(page.getByText("端末をログアウトさせました。")).toBeVisible();
  await expect(page.getByRole("main")).toBeFocused();
  await expect(page.getByText("iPhone の Safari", { exact: true })).toHaveCount(0);
  await expect(async () => {
    await other.goto("/mypage/settings/devices");
    await expect(other).toHaveURL("/login", { timeout: 2000 });
  }).toPass();

  await page.getByRole("button", { name: "すべての端末からログアウト" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "ログアウトする" }).click();
  await expect(page).toHaveURL("/login");
  await page.goto("/mypage");
  await expect(page).toHaveURL("/login");
});

test("a postal code fills in the address, which is stored", async ({ browser }) => {
  const page = await pageOf(browser, await newPerson());
  await page.goto("/mypage/settings/address");
  await page.getByLabel("郵便番号").fill("１００－００１３");
  await expect(page.getByLabel("都道府県")).toHaveValue("東京都");
  await expect(page.getByLabel("市区町村")).toHaveValue("千代田区");
  await expect(page.getByLabel("町名・番地")).toHaveValue("霞が関");
  await page.getByLabel("町名・番地").fill("霞が関1-3-2");
  await page.getByRole("textbox", { name: "電話番号" }).fill("090ー1234ー5678");
  await page.getByRole("button", { name: "保存する" }).click();
  await expect(page.getByText("住所と電話番号を保存しました。")).toBeVisible();

  await page.reload();
  await expect(page.getByLabel("町名・番地")).toHaveValue("霞が関1-3-2");
  await expect(page.getByRole("textbox", { name: "電話番号" })).toHaveValue("090-1234-5678");
  await page.getByRole("link", { name: "設定にもどる" }).click();
  await expect(page.getByText("〒100-0013 東京都千代田区霞が関1-3-2")).toBeVisible();
});

test("the person chooses among several towns of one postal code", async ({ browser }) => {
  const page = await pageOf(browser, await newPerson());
  await page.goto("/mypage/settings/address");
  await page.getByLabel("郵便番号").fill("4520961");
  const towns = page.getByLabel("この郵便番号の町");
  await expect(page.getByLabel("都道府県")).toHaveValue("愛知県");
  await towns.selectOption({ index: 2 });
  const chosen = await towns.evaluate((select: HTMLSelectElement) => select.value);
  const [city, town] = [page.getByLabel("市区町村"), page.getByLabel("町名・番地")];
  expect((await city.inputValue()) + (await town.inputValue())).toBe(chosen);
});

test("input survives a network failure", async ({ browser }) => {
  const page = await pageOf(browser, await newPerson());
  await page.goto("/mypage/settings/base");
  await page.getByLabel("学校名").fill("みどり大学");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "保存する" }).click();
  await expect(page.getByText("保存できませんでした")).toBeVisible();
  await expect(page.getByLabel("学校名")).toHaveValue("みどり大学");
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "保存する" }).click();
  await expect(page.getByText("基本情報を保存しました。")).toBeVisible();
});

test("a person downloads their own data as a file", async ({ browser }) => {
  const person = await newPerson();
  const page = await pageOf(browser, person);
  await page.goto("/mypage/settings/close");
  const form = page.getByRole("form", { name: "データのダウンロード" });
  await form.getByLabel("いまのパスワード").fill(person.password);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    form.getByRole("button", { name: "ダウンロードする" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("konomana.json");
  const data = JSON.parse(await readFile(await download.path(), "utf8")) as object;
  expect(data).toMatchObject({ account: { email: person.email } });
  expect(Object.keys(data)).toEqual(expect.arrayContaining(["sessions", "guardians", "learning"]));
  expect(JSON.stringify(data)).not.toContain(person.password);
});

test("an account is closed and reopened", async ({ browser }) => {
  const person = await newPerson();
  const page = await pageOf(browser, person);
  await page.goto("/mypage/settings/close");
  await page.getByRole("button", { name: "退会の手続きに進む" }).click();
  const form = page.getByRole("form", { name: "退会" });
  await form.getByLabel("いまのパスワード").fill(person.password);
  await form.getByRole("button", { name: "退会する" }).click();
  await expect(page.getByRole("heading", { name: "退会の手続きをしました" })).toBeVisible();
  await page.goto("/mypage");
  await expect(page).toHaveURL("/login");

  await fillLogin(page, person.email, person.password);
  await expect(page.getByText(/^\d{4}年\d+月\d+日.+に$/)).toBeVisible();
  await page.getByRole("button", { name: "退会をやめて、もう一度使う" }).click();
  await expect(page).toHaveURL("/mypage");
  await page.goto("/mypage/settings/close");
  await expect(page.getByRole("button", { name: "退会の手続きに進む" })).toBeVisible();
});
