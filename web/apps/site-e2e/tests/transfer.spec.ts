/** Paying at a convenience store and by bank transfer. Each test signs up its own people. */
import type { Page } from "@playwright/test";
import { overflow, seriousFaults } from "../fixtures/faults";
import { mailTo } from "../fixtures/mail";
import { commerce, newBuyer, type Order, putIntoCart } from "../fixtures/orders";
import type { Person } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { openTool, press } from "../fixtures/provider";
import { settled } from "../fixtures/screens";

/** Name and price of the course. */
const COURSE = { id: 105, name: /中3数学 二次方程式と関数/, price: "16,500円" };

const lead = (page: Page) => page.getByRole("main").getByRole("status").first();

/** Confirms the cart with a payment method and returns the order. */
async function orderBy(page: Page, buyer: Person, method: string): Promise<Order> {
  await putIntoCart(buyer, COURSE.id);
  await page.goto("/cart/confirm");
  await settled(page);
  await page.getByRole("radio", { name: method }).check();
  await expect(page).toHaveURL(/\?method=/);
  await settled(page);
  await page.getByRole("button", { name: "注文を確定する" }).click();
  await expect(page).toHaveURL(/\/payment\?order=/);
  const { results } = await commerce<{ results: Order[] }>(buyer, "GET", "order/");
  expect(results).toHaveLength(1);
  return results[0] as Order;
}

/** Expects the buyer's open page to show by itself that the order is paid. */
async function expectPaid(page: Page): Promise<void> {
  await page.bringToFront();
  await expect(page.getByText(/もうご利用いただけます/)).toBeVisible({ timeout: 30_000 });
}

test("a learner pays at a convenience store, and the open page shows it by itself", async ({
  page,
  context,
}) => {
  const buyer = await newBuyer(page);
  const { id, number } = await orderBy(page, buyer, "コンビニ払い");
  await expect(lead(page)).toContainText(COURSE.price);
  for (const chain of ["ローソン", "ミニストップ", "セイコーマート", "ファミリーマート"]) {
    await page.getByRole("tab", { name: chain }).click();
    await expect(page.getByRole("tabpanel")).toContainText(/支払いコード\s*\d{6,}/);
  }
  for (const width of [320, 1264]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("heading", { name: "セイコーマート" })).toBeVisible();
  await expect(page.getByRole("banner")).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "お支払い方法を確かめました" }).click();
  await expect(page).toHaveURL(`/payment/complete/bank?order=${id}`);
  await expect(page.getByRole("heading", { name: "ご注文を受け付けました" })).toBeVisible();
  await mailTo(buyer.email, new RegExp(number));

  const tool = await context.newPage();
  await openTool(tool, buyer, number);
  await press(tool, /^コンビニで支払う$/);
  await expectPaid(page);
  await page.getByRole("link", { name: /^講座を始める/ }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(COURSE.name);
  await page.goto(`/mypage/history/${id}`);
  await page.getByText("お支払いのご案内（控え）").click();
  await expect(page.getByText(/もう一度支払う必要はありません/)).toBeVisible();
});

test("a bank transfer of the whole amount pays the order", async ({ page, context }) => {
  const buyer = await newBuyer(page);
  const { number } = await orderBy(page, buyer, "銀行振込");
  const account = page.getByRole("region", { name: "振込先" });
  await expect(account).toContainText(/口座番号\s*\d{7}/);
  await expect(account).toContainText(COURSE.price);
  for (const width of [320, 1264]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await seriousFaults(page)).toEqual([]);
    expect(await overflow(page)).toBe(0);
  }
  const tool = await context.newPage();
  await openTool(tool, buyer, number);
  await press(tool, /^全額.*を振り込む$/);
  await expectPaid(page);
  await mailTo(buyer.email, /お支払いが完了しました/);
});

test("a partial transfer shows the remaining amount, and the rest pays the order", async ({
  page,
  context,
}) => {
  const buyer = await newBuyer(page);
  const { id, number } = await orderBy(page, buyer, "銀行振込");
  const tool = await context.newPage();
  await openTool(tool, buyer, number);
  await press(tool, /^不足.*を振り込む$/);
  await page.bringToFront();
  await expect(page.getByRole("heading", { name: "残りのお支払いをお待ちしています" })).toBeVisible(
    { timeout: 30_000 },
  );
  await expect(lead(page)).toContainText("残りは1,000円です。");
  await page.goto(`/mypage/history/${id}`);
  await expect(page.getByText("残りのお支払い待ち", { exact: true })).toBeVisible();
  await expect(page.getByRole("region", { name: "届いた振込" })).toContainText("15,500円");
  await page.goto(`/payment?order=${id}`);

  await openTool(tool, buyer, number);
  await tool.getByRole("link", { name: /^cus_/ }).click();
  await tool.getByLabel("金額（円）").fill("1000");
  await press(tool, /^振り込む$/);
  await expectPaid(page);
  expect((await commerce<Order>(buyer, "GET", `order/${id}/`)).state).toBe("fulfilled");
});

test("an overpaid amount is refunded", async ({ page, context }) => {
  const buyer = await newBuyer(page);
  const { id, number } = await orderBy(page, buyer, "銀行振込");
  const tool = await context.newPage();
  await openTool(tool, buyer, number);
  await press(tool, /^過剰.*を振り込む$/);
  await expectPaid(page);
  await page.goto(`/mypage/history/${id}`);
  await expect(page.getByText("1,000円の返金の手続きをしました")).toBeVisible();
});

test("a transfer under another name pays the order, with a notice", async ({ page, context }) => {
  const buyer = await newBuyer(page);
  const { number } = await orderBy(page, buyer, "銀行振込");
  const tool = await context.newPage();
  await openTool(tool, buyer, number);
  await press(tool, /^別の名義で.*を振り込む$/);
  await expectPaid(page);
  await expect(page.getByRole("region", { name: "届いた振込" })).toContainText(
    "名義がちがいますが",
  );
});

test("after a change of the method the order is cancelled, and the same cart is confirmed again", async ({
  page,
}) => {
  const buyer = await newBuyer(page);
  const { id } = await orderBy(page, buyer, "コンビニ払い");
  await page.getByRole("button", { name: "別の方法で支払う" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "方法を選びなおす" }).click();
  await expect(page).toHaveURL("/cart/confirm");
  await settled(page);
  await expect(page.getByRole("main")).toContainText(COURSE.name);
  expect((await commerce<Order>(buyer, "GET", `order/${id}/`)).state).toBe("cancelled");
});
