/**
 * Coupons, from the code to the receipt, and a cart that a child sends to a guardian. Each test
 * signs up its own people.
 */
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { linkIn, mailTo } from "../fixtures/mail";
import { cards, newBuyer, payWith, putIntoCart } from "../fixtures/orders";
import { newPerson, pageOf } from "../fixtures/people";
import { expect, fillLogin, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** A course of 16,500 yen, and coupons of the demo by code. */
const COURSE = 105;
const OTHER_COURSE = 106;
const winter = { code: "FUYU15", name: "冬の学習応援 15％引き" };
const welcome = { name: "はじめてのご注文 1,000円引き" };
const siblings = { code: "KYODAI2000", name: "きょうだい応援 2,000円引き" };

const sum = (page: Page) => page.getByRole("region", { name: "合計" });
const codeField = (page: Page) => page.getByRole("textbox", { name: "クーポンコード" });

/** Enters a code on the open coupon screen. */
async function enter(page: Page, code: string): Promise<void> {
  await codeField(page).fill(code);
  await page.getByRole("button", { name: "追加する" }).click();
}

/** Opens the coupons from the cart. */
async function openCoupons(page: Page): Promise<void> {
  await page.goto("/cart");
  await settled(page);
  await sum(page)
    .getByRole("link", { name: /^クーポンを(?:使う|変える)$/ })
    .click();
  await expect(page).toHaveURL("/cart/coupon");
  await settled(page);
}

/** Opens the final confirmation from the cart. */
async function openConfirmation(page: Page): Promise<void> {
  await page.goto("/cart");
  await settled(page);
  await page.getByRole("main").getByRole("link", { name: "購入手続きへ" }).click();
  await expect(page).toHaveURL("/cart/confirm");
  await settled(page);
}

/** Expects no serious axe violation and no sideways scrolling, on a phone and on a wide screen. */
async function expectNoFault(page: Page): Promise<void> {
  for (const width of [360, 1264]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(page), `at ${width} px`).toEqual([]);
    expect(await overflow(page), `at ${width} px`).toBe(0);
  }
}

test("a code and the best combination give the discount that the receipt shows", async ({
  page,
}) => {
  const buyer = await newBuyer(page);
  await putIntoCart(buyer, COURSE);
  await openCoupons(page);
  await enter(page, " fuyu１５ ");
  await expect(sum(page).getByRole("status")).toContainText("14,025円（税込）");
  await page.getByRole("button", { name: "この組み合わせを使う" }).click();
  await expect(sum(page).getByRole("status")).toContainText("13,025円（税込）");
  await expect(page.getByText("いちばんお得な組み合わせを使っています。")).toBeVisible();
  await expectNoFault(page);

  await page.getByRole("link", { name: "カートに戻る" }).click();
  await expect(sum(page)).toContainText("−2,475円");
  await expect(sum(page)).toContainText("−1,000円");
  await expectNoFault(page);
  await openConfirmation(page);
  const main = page.getByRole("main");
  for (const text of [winter.name, welcome.name, "16,500円", "割引 −3,475円", "13,025円（税込）"])
    await expect(main).toContainText(text);
  await expectNoFault(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();
  await payWith(page, cards.good);
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  await expect(page.getByRole("region", { name: "ご注文の内容" })).toContainText("13,025円");

  await page.getByRole("main").getByRole("link", { name: "領収書" }).click();
  await page.getByRole("button", { name: "領収書を発行する" }).click();
  const receipt = page.getByRole("article", { name: "領収書" });
  await expect(receipt.getByRole("row", { name: "小計" })).toContainText("16,500円");
  await expect(receipt.getByRole("row", { name: winter.name })).toContainText("−2,475円");
  await expect(receipt.getByRole("row", { name: welcome.name })).toContainText("−1,000円");
  await expect(receipt.getByRole("row", { name: "10%対象" })).toContainText("13,025円");
  await expect(receipt.getByRole("row", { name: "内消費税" })).toContainText("1,184円");

  await page.getByRole("navigation", { name: "マイページ" }).getByText("クーポン").click();
  await expect(page).toHaveURL("/mypage/coupon");
  const used = page.getByRole("region", { name: "使用済みのクーポン" });
  await expect(used).toContainText(winter.name);
  await used.getByRole("link", { name: winter.name }).click();
  await page.getByRole("link", { name: "使ったご注文を見る" }).first().click();
  await expect(page.getByRole("region", { name: "ご注文の内容" })).toContainText("−2,475円");
});

test("an invalid and an expired code show an error beside the field and stay in it", async ({
  page,
}) => {
  await newBuyer(page);
  await page.goto("/mypage/coupon");
  await settled(page);
  for (const [code, sentence] of [
    ["FUYU16", /見つかりませんでした/],
    ["NATSU20", /有効期限が切れています/],
  ] as const) {
    await enter(page, code);
    await expect(codeField(page)).toHaveAccessibleDescription(sentence);
    await expect(codeField(page)).toHaveValue(code);
    await expect(codeField(page)).toBeFocused();
  }
  await expectNoFault(page);
});

test("a coupon shows the missing amount, and applies once it is reached", async ({ page }) => {
  const buyer = await newBuyer(page);
  await putIntoCart(buyer, COURSE);
  await openCoupons(page);
  await enter(page, siblings.code);
  const row = page.getByRole("listitem").filter({ hasText: siblings.name });
  await expect(row).toContainText("あと13,500円分をカートに入れると使えます。");
  await putIntoCart(buyer, OTHER_COURSE);
  await page.reload();
  await settled(page);
  await row.getByRole("link", { name: siblings.name }).click();
  await expect(page).toHaveURL(/\/cart\/coupon\/\d+$/);
  await expect(page.getByText("対象の商品の合計が30,000円（税込）以上")).toBeVisible();
  await page.getByRole("button", { name: `使う（${siblings.name}）` }).click();
  await expect(
    page.getByText("クーポン「きょうだい応援 2,000円引き」", { exact: true }),
  ).toBeVisible();
  await expectNoFault(page);
  await page.getByRole("button", { name: `外す（${siblings.name}）` }).click();
  await expect(
    page.getByText("クーポン「きょうだい応援 2,000円引き」", { exact: true }),
  ).toBeHidden();
});

test("a cancelled order releases its coupon", async ({ page }) => {
  const buyer = await newBuyer(page);
  await putIntoCart(buyer, COURSE);
  await openCoupons(page);
  await enter(page, winter.code);
  await expect(sum(page).getByRole("status")).toContainText("14,025円（税込）");
  await openConfirmation(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();
  await expect(page.getByRole("heading", { name: "カードでのお支払い" })).toBeVisible();

  await page.goto("/mypage/coupon");
  const used = page.getByRole("region", { name: "使用済みのクーポン" });
  await expect(used).toContainText("お支払い手続き中のご注文で使っています。");
  await used.getByRole("link", { name: "使ったご注文を見る" }).click();
  await page.getByRole("button", { name: "注文を取り消す" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "取り消す", exact: true }).click();
  await expect(page.getByText("取り消し済み", { exact: true })).toBeVisible();

  await page.goto("/mypage/coupon");
  await expect(page.getByRole("region", { name: "持っているクーポン" })).toContainText(winter.name);
  await expect(used).toBeHidden();
});

test("a coupon of another account is not found", async ({ page }) => {
  await newBuyer(page);
  for (const path of ["/cart/coupon/2", "/mypage/coupon/2"]) {
    await page.goto(path);
    await expect(page.getByText("not found", { exact: true })).toBeVisible();
  }
});

test("a visitor signs in for the coupons and returns to them", async ({ page }) => {
  const buyer = await newPerson();
  await page.goto("/cart/coupon");
  await page.getByRole("main").getByRole("link", { name: "ログインする" }).click();
  await fillLogin(page, buyer.email, buyer.password);
  await expect(page).toHaveURL("/cart/coupon");
  await expect(page.getByRole("region", { name: "持っているクーポン" })).toContainText(
    welcome.name,
  );
});

test("a child sends the cart to a guardian, who pays, and the child finds the course", async ({
  browser,
}) => {
  const parent = await newPerson({ kind: "guardian", birthDate: "1980-05-05", firstName: "恵" });
  const pupil = await newPerson({ birthDate: "2011-04-01" });
  const [child, guardian] = [await pageOf(browser, pupil), await pageOf(browser, parent)];
  await putIntoCart(pupil, COURSE);
  await child.goto("/cart");
  await settled(child);
  await expect(child.getByText(/保護者の方の同意が必要/)).toBeVisible();
  const ask = child.getByRole("button", { name: "保護者にお願いする" });
  await ask.click();
  await child.getByRole("link", { name: "保護者の方とつながる" }).click();
  await expect(child).toHaveURL("/mypage/settings/guardian");
  await child.getByRole("button", { name: "コードを発行する" }).click();
  const code = child.getByLabel("コード", { exact: true });
  await expect(code).toHaveText(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
  const typed = await code.innerText();
  await child.goto("/cart");
  await settled(child);
  await expect(child.getByRole("link", { name: "購入手続きへ" })).toHaveCount(0);

  await guardian.goto("/mypage");
  await guardian.getByLabel("8文字のコード").fill(typed);
  await guardian.getByRole("button", { name: "つながる", exact: true }).click();
  await expect(guardian.getByRole("link", { name: "木下 葵さん" })).toBeVisible();

  // The child returns to the tab. The consent that came with the link makes the same cart buyable.
  await child.evaluate(() =>
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true })),
  );
  await expect(child.getByRole("link", { name: "購入手続きへ" })).toBeVisible();
  await ask.click();
  await expect(child.getByText(/保護者の方にお願いしました。/)).toBeVisible();
  await expectNoFault(child);
  await child.getByRole("button", { name: "もう一度お願いする" }).click();
  await expect(child.getByText("お願いを送れませんでした")).toBeVisible();

  const mail = await mailTo(parent.email, /お支払いをお願いしています/);
  await guardian.goto(linkIn(mail, "/cart"));
  await expect(guardian).toHaveURL("/cart");
  await expect(guardian.getByText("木下 葵さんからのお願いです。")).toBeVisible();
  await expectNoFault(guardian);
  await openConfirmation(guardian);
  await guardian.getByRole("button", { name: "注文を確定する" }).click();
  await payWith(guardian, cards.good);
  await expect(
    guardian.getByText(/木下 葵さんがログインすると、すぐに始められます。/),
  ).toBeVisible();

  await child.goto("/mypage/course");
  await child.getByRole("link", { name: /中3数学 二次方程式と関数/ }).click();
  await expect(child.getByRole("heading", { level: 1 })).toHaveText(/中3数学 二次方程式と関数/);
});
