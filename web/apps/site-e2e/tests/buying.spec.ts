/** Buying, from the page of a course to the receipt. Each test signs up its own people. */
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { mailsTo, mailTo } from "../fixtures/mail";
import { cards, commerce, newBuyer, type Order, payWith, placeOrder } from "../fixtures/orders";
import { newPerson, pageOf, type Person } from "../fixtures/people";
import { expect, fillLogin, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

/** Name and price of the course. */
const COURSE = { id: 105, name: /中3数学 二次方程式と関数/, price: "16,500円" };

const ordersOf = async (buyer: Person) =>
  (await commerce<{ results: Order[] }>(buyer, "GET", "order/")).results;

/** Adds the course to the cart from its page, and opens the cart. */
async function putIntoCart(page: Page, course = COURSE.id): Promise<void> {
  await page.goto(`/course/${course}`);
  await page.getByRole("main").getByRole("button", { name: "カートに入れる" }).first().click();
  await page
    .getByRole("main")
    .getByRole("link", { name: /^カートに入っています/ })
    .first()
    .click();
  await expect(page).toHaveURL("/cart");
  await settled(page);
}

/** Opens the final confirmation from the cart. */
async function openConfirmation(page: Page): Promise<void> {
  await page.getByRole("main").getByRole("link", { name: "購入手続きへ" }).click();
  await expect(page).toHaveURL("/cart/confirm");
  await settled(page);
}

/** Waits for the provider's page. A second tab may first show a link to it. */
async function openPayment(page: Page): Promise<void> {
  const payment = page.getByRole("heading", { name: "カードでのお支払い" });
  const goOn = page.getByRole("button", { name: "支払いを続ける" });
  await expect(payment.or(goOn)).toBeVisible();
  if (await goOn.isVisible()) await goOn.click();
  await expect(payment).toBeVisible();
}

const placeButton = (page: Page) => page.getByRole("button", { name: "注文を確定する" });

test("a learner buys a course from its page to the receipt", async ({ page }) => {
  const buyer = await newBuyer(page);
  await putIntoCart(page);
  await openConfirmation(page);
  await expect(page.getByRole("main")).toContainText(COURSE.name);
  await expect(page.getByRole("main")).toContainText(COURSE.price);
  await placeButton(page).click();
  await payWith(page, cards.good);

  await expect(page).toHaveURL(/\/payment\/complete\/credit\?order=/);
  await expect(page.getByRole("heading", { name: "お支払いが完了しました" })).toBeVisible();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  await page.reload();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  const start = page.getByRole("link", { name: /^講座を始める/ });
  // Until the inventory is loaded the link leads to the list.
  await expect(start).toHaveAttribute("href", /\/mypage\/learnning\/\d+$/);
  await start.click();
  await expect(page).toHaveURL(/\/mypage\/learnning\/\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(COURSE.name);

  const mail = await mailTo(buyer.email, /お支払いが完了しました/);
  expect(mail.text).toContain("16,500円");

  await page.getByRole("navigation", { name: "マイページ" }).getByText("ご注文履歴").click();
  const row = page.getByRole("main").getByRole("listitem").filter({ hasText: COURSE.name });
  await expect(row).toContainText("受講できます");
  await row.getByRole("link").click();
  await expect(page.getByRole("region", { name: "これまでの流れ" })).toContainText(
    "講座をご利用いただけます",
  );
  await page.getByText("ご注文のときに確認した内容").click();
  await expect(page.getByText("申込みの撤回・解約", { exact: true })).toBeVisible();

  await page.getByRole("main").getByRole("link", { name: "領収書" }).click();
  await expect(page.getByLabel(/^宛名/)).toHaveValue(buyer.name);
  await page.getByRole("button", { name: "領収書を発行する" }).click();
  const receipt = page.getByRole("article", { name: "領収書" });
  await expect(receipt).toContainText(`${buyer.name} 様`);
  await expect(receipt.getByRole("row", { name: "10%対象" })).toContainText("16,500円");
  await expect(receipt.getByRole("row", { name: "内消費税" })).toContainText("1,500円");
  await expect(receipt).toContainText("T0000000000000");
  await expect(receipt).not.toContainText("再発行");
  await page.getByRole("button", { name: "宛名を変えて再発行する" }).click();
  await page.getByLabel(/^宛名/).fill("青空塾");
  await page.getByRole("button", { name: "再発行する", exact: true }).click();
  await expect(receipt).toContainText("青空塾 様");
  await expect(receipt).toContainText("再発行");

  await page.emulateMedia({ media: "print" });
  await expect(receipt).toBeVisible();
  for (const hidden of [
    page.getByRole("banner"),
    page.getByRole("navigation", { name: "マイページ" }),
    page.getByRole("button", { name: "印刷する" }),
  ])
    await expect(hidden).toBeHidden();

  await page.emulateMedia({ media: "screen" });
  await page.goto(`/course/${COURSE.id}`);
  const offer = page.getByRole("complementary", { name: "値段と申し込み" });
  await expect(offer).toContainText("持っています");
  await expect(offer.getByRole("link", { name: "学習を続ける" })).toBeVisible();
  await expect(offer.getByRole("button", { name: "カートに入れる" })).toHaveCount(0);
});

test("two presses and two tabs place one order", async ({ page, context }) => {
  const buyer = await newBuyer(page);
  await putIntoCart(page);
  await openConfirmation(page);
  const other = await context.newPage();
  await other.goto("/cart/confirm");
  await settled(other);
  await Promise.all([placeButton(page).dblclick(), placeButton(other).click()]);
  for (const tab of [page, other]) await openPayment(tab);
  expect(await ordersOf(buyer)).toHaveLength(1);

  await payWith(page, cards.good);
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  // The other tab still shows the provider's page. Submitting it charges nothing more.
  await payWith(other, cards.good);
  await expect(other.getByText("お支払いは完了しています。", { exact: false })).toBeVisible();
  const [order] = await ordersOf(buyer);
  expect(order?.state).toBe("fulfilled");
});

test("a declined card shows a plain message and links to the same cart", async ({ page }) => {
  const buyer = await newBuyer(page);
  await putIntoCart(page);
  await openConfirmation(page);
  await placeButton(page).click();
  await payWith(page, cards.insufficientFunds);
  await page.getByRole("link", { name: "戻る" }).click();
  await expect(page).toHaveURL(/\/payment\?order=/);
  const main = page.getByRole("main");
  await expect(main.getByRole("alert")).toContainText("ご利用可能額が足りません");
  expect(await seriousFaults(page)).toEqual([]);

  await page.goto(page.url().replace("/payment?", "/payment/error?"));
  await expect(page.getByText(/二重に請求されることはありません/)).toBeVisible();
  await page.getByRole("link", { name: "カートにもどる" }).click();
  await expect(page).toHaveURL("/cart");
  await expect(main).toContainText(COURSE.name);

  const [order] = await ordersOf(buyer);
  await page.goto(`/payment?order=${order?.id}`);
  await page.getByRole("button", { name: "支払いを続ける" }).click();
  await payWith(page, cards.challenge);
  await page.getByRole("button", { name: "認証に成功する" }).click();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  expect(await ordersOf(buyer)).toHaveLength(1);
});

test("an order is cancelled in two presses, and its courses can be ordered again", async ({
  page,
}) => {
  const buyer = await newBuyer(page);
  const { id, number, payment } = await placeOrder(buyer, COURSE.id);
  await page.goto(`/mypage/history/${id}`);
  await page.getByRole("button", { name: "注文を取り消す" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "取り消す", exact: true }).click();
  await expect(page.getByText("取り消し済み", { exact: true })).toBeVisible();
  await mailTo(buyer.email, new RegExp(number));
  await page.goto(payment.page_url ?? "");
  await expect(page.getByRole("heading", { name: "有効期限切れ" })).toBeVisible();

  await page.goto("/cart");
  await settled(page);
  await openConfirmation(page);
  await placeButton(page).click();
  await payWith(page, cards.good);
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  expect((await ordersOf(buyer)).map(({ state }) => state)).toEqual(["fulfilled", "cancelled"]);
});

test("a guardian buys for a linked child, who finds the course", async ({ browser }) => {
  const parent = await newPerson({ kind: "guardian", birthDate: "1980-05-05", firstName: "恵" });
  const child = await pageOf(browser, await newPerson({ birthDate: "2011-04-01" }));
  const guardian = await pageOf(browser, parent);
  await child.goto("/mypage/settings/guardian");
  await child.getByRole("button", { name: "コードを発行する" }).click();
  const code = child.getByLabel("コード", { exact: true });
  await expect(code).toHaveText(/^[A-Z\d]{4}-[A-Z\d]{4}$/);
  await guardian.goto("/mypage");
  await guardian.getByLabel("8文字のコード").fill(await code.innerText());
  await guardian.getByRole("button", { name: "つながる", exact: true }).click();
  await expect(guardian.getByRole("link", { name: "木下 葵さん" })).toBeVisible();

  await putIntoCart(guardian);
  await openConfirmation(guardian);
  await expect(guardian.getByRole("main")).toContainText("木下 葵");
  await placeButton(guardian).click();
  await payWith(guardian, cards.good);
  await expect(
    guardian.getByText(/木下 葵さんがログインすると、すぐに始められます。/),
  ).toBeVisible();
  for (const width of [320, 1264]) {
    await guardian.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(guardian)).toEqual([]);
    expect(await overflow(guardian)).toBe(0);
  }
  await mailTo(parent.email, /お支払いが完了しました/);

  await child.goto("/mypage/course");
  await child.getByRole("link", { name: COURSE.name }).click();
  await expect(child.getByRole("heading", { level: 1 })).toHaveText(COURSE.name);
});

test("an order of another account is not found", async ({ page, browser }) => {
  const { id } = await placeOrder(await newPerson());
  const other = await pageOf(browser, await newPerson());
  for (const path of [
    `/mypage/history/${id}`,
    `/mypage/history/${id}/purchase`,
    `/payment?order=${id}`,
    `/payment/complete/credit?order=${id}`,
  ]) {
    await other.goto(path);
    await expect(other.getByText("not found", { exact: true })).toBeVisible();
  }
  await page.goto(`/mypage/history/${id}`);
  await expect(page).toHaveURL("/login");
});

test("the visitor's cart joins the account's cart at the sign-in without duplicates", async ({
  page,
}) => {
  const buyer = await newPerson();
  await commerce(buyer, "POST", "cart/line/", { product: 1105, learner: null });
  for (const course of [105, 106]) await putIntoCart(page, course);
  await page.goto("/login");
  await fillLogin(page, buyer.email, buyer.password);
  await expect(page).toHaveURL("/mypage");
  await page.goto("/cart");
  await settled(page);
  await expect(page.getByRole("main")).toContainText(COURSE.name);
  const { lines } = await commerce<{ lines: { product: { id: number } }[] }>(buyer, "GET", "cart/");
  expect(lines.map(({ product }) => product.id).toSorted()).toEqual([1105, 1106]);
});

test("the completion works offline and continues after the reconnect", async ({
  page,
  context,
}) => {
  const buyer = await newBuyer(page);
  const { id, payment } = await placeOrder(buyer, COURSE.id);
  await page.goto(`/payment/complete?order=${id}`);
  await expect(page.getByText(/^確認中です。/)).toBeVisible();
  await context.setOffline(true);
  await expect(page.getByText("インターネットにつながっていません")).toBeVisible();
  await context.setOffline(false);
  await expect(page.getByText("インターネットにつながっていません")).toBeHidden();

  const other = await context.newPage();
  await other.goto(payment.page_url ?? "");
  await payWith(other, cards.good);
  await expect(other.getByText(/もうご利用いただけます/)).toBeVisible();
  await page.bringToFront();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible({ timeout: 30_000 });
});

test("one payment sends one mail and grants one course", async ({ page }) => {
  const buyer = await newBuyer(page);
  const { number, payment } = await placeOrder(buyer, COURSE.id);
  await page.goto(payment.page_url ?? "");
  await payWith(page, cards.good);
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  await mailTo(buyer.email, new RegExp(number));
  await page.goBack();
  await page.goForward();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
  const mails = await mailsTo(buyer.email);
  expect(mails.filter(({ text }) => text.includes(number))).toHaveLength(1);
  await page.goto("/mypage/course");
  await expect(page.getByRole("main").locator("li:has(h2)")).toHaveCount(1);
});
