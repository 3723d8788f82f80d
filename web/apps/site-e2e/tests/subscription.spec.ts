/** A saved card, and a monthly service. Each test signs up its own people. */
import { overflow, seriousFaults } from "../fixtures/faults";
import { mailTo } from "../fixtures/mail";
import { cards, commerce, MONTHLY, newBuyer, payWith, putIntoCart } from "../fixtures/orders";
import { expect, test } from "../fixtures/product";
import { saveCard } from "../fixtures/provider";
import { settled } from "../fixtures/screens";

const NAME = "月額 質問し放題";
const PRICE = "2,980円";

test("a saved card pays a monthly service with one press, which is cancelled and resumed", async ({
  page,
}) => {
  const buyer = await newBuyer(page);
  await page.goto("/mypage/settings");
  await page.getByRole("main").getByRole("link", { name: "お支払いのカード" }).click();
  await page.getByRole("button", { name: "カードを登録する" }).click();
  await saveCard(page, cards.good);
  await expect(page).toHaveURL("/mypage/settings/card?setup=done");
  await expect(page.getByText("カードを登録しました")).toBeVisible();
  await expect(page.getByText("Visa（末尾 4242）", { exact: true })).toBeVisible();

  await page.goto("/course#monthly");
  const service = page.getByRole("region", { name: "月額サービス" });
  await expect(service).toContainText(`月${PRICE}（税込）`);
  await service.getByRole("button", { name: /カートに入れる/ }).click();
  await service.getByRole("link", { name: /カートを見る/ }).click();
  await expect(page).toHaveURL("/cart");
  await settled(page);
  await expect(page.getByRole("main")).toContainText("1か月ごとに自動更新");
  await page.getByRole("main").getByRole("link", { name: "購入手続きへ" }).click();
  await settled(page);
  await page.getByRole("radio", { name: /^登録済みのカード/ }).check();
  await expect(page).toHaveURL("/cart/confirm?method=saved_card");
  await settled(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();

  await expect(page).toHaveURL(/\/payment\/complete\/subscribe\?order=/);
  await expect(page.getByRole("heading", { name: "お申し込みが完了しました" })).toBeVisible();
  const started = page.getByRole("region", { name: "月額サービス" });
  await expect(started).toContainText(/次のお支払いは\d{4}年\d+月\d+日\(.\)、2,980円です。/);
  await mailTo(buyer.email, new RegExp(NAME));
  await started.getByRole("link", { name: "契約の内容と解約" }).click();
  await expect(page).toHaveURL(/\/mypage\/history\/subscribe\/[\da-f-]{36}$/);
  const state = page.getByRole("main").getByRole("status").first();
  await expect(state).toHaveText("ご利用中");
  for (const width of [320, 1264]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }
  const address = page.url();

  await page.goto("/mypage/settings/card");
  await expect(page.getByText(/このカードは削除できません/)).toBeVisible();

  await page.goto(address);
  await page.getByRole("button", { name: "解約する" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "解約する" }).click();
  await expect(state).toHaveText("解約の手続き済み");
  await page.reload();
  await expect(state).toHaveText("解約の手続き済み");
  await page.getByRole("button", { name: "解約を取り消して続ける" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "続ける", exact: true }).click();
  await expect(state).toHaveText("ご利用中");

  await page.goto("/mypage/history");
  const row = page.getByRole("region", { name: "月額サービス" }).getByRole("listitem");
  await expect(row).toContainText(NAME);
  await expect(row).toContainText("ご利用中");
});

test("a monthly service is started with a new card on the provider's page", async ({ page }) => {
  const buyer = await newBuyer(page);
  await commerce(buyer, "POST", "cart/line/", { product: MONTHLY, learner: null });
  await page.goto("/cart/confirm");
  await settled(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();
  await payWith(page, cards.good);
  await expect(page).toHaveURL(/\/payment\/complete\//);
  await expect(page.getByRole("heading", { name: "お申し込みが完了しました" })).toBeVisible();
  await page.goto("/mypage/settings/card");
  await expect(page.getByText("Visa（末尾 4242）", { exact: true })).toBeVisible();
});

test("a saved card that requires 3-D Secure pays once it is confirmed", async ({ page }) => {
  const buyer = await newBuyer(page);
  await page.goto("/mypage/settings/card");
  await page.getByRole("button", { name: "カードを登録する" }).click();
  await saveCard(page, cards.challenge);
  await page.getByRole("button", { name: "認証に成功する" }).click();
  await expect(page.getByText("カードを登録しました")).toBeVisible();
  await putIntoCart(buyer, 105);
  await page.goto("/cart/confirm?method=saved_card");
  await settled(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();
  const challenge = page.getByRole("button", { name: "認証に成功する" });
  const done = page.getByRole("heading", { name: "お支払いが完了しました" });
  // The provider may skip 3-D Secure for a card that was confirmed when it was saved.
  await expect(challenge.or(done)).toBeVisible();
  if (await challenge.isVisible()) await challenge.click();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible();
});

test("a saved card is removed in two presses", async ({ page }) => {
  await newBuyer(page);
  await page.goto("/mypage/settings/card");
  await page.getByRole("button", { name: "カードを登録する" }).click();
  await saveCard(page, cards.good);
  await expect(page.getByText("カードを登録しました")).toBeVisible();
  await page.getByRole("button", { name: "カードを削除する" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "削除する", exact: true }).click();
  await expect(page.getByText("カードは登録されていません。")).toBeVisible();
});
