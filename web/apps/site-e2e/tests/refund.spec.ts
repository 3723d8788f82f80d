/** Refunds: the quote of an order, and the request. */
import { readFile } from "node:fs/promises";
import { mailTo } from "../fixtures/mail";
import { buy, newBuyer } from "../fixtures/orders";
import { newPerson, pageOf } from "../fixtures/people";
import { expect, test } from "../fixtures/product";
import { settled } from "../fixtures/screens";

const COURSE = { id: 105, name: /中3数学 二次方程式と関数/ };

test("a buyer sees the exact amount, returns the course with one press, and gets the documents", async ({
  page,
}) => {
  const buyer = await newBuyer(page);
  const { id, number } = await buy(buyer, COURSE.id);
  await page.goto(`/mypage/history/${id}`);
  await page.getByRole("link", { name: "返金額を確かめる" }).click();
  const line = page.getByRole("main").getByRole("listitem").filter({ hasText: COURSE.name });
  await expect(line).toContainText("16,500円");
  await expect(page.getByText("戻る金額の合計")).toBeVisible();
  await page.getByRole("button", { name: "返金を申し込む" }).click();

  await expect(page).toHaveURL(`/mypage/history/${id}`);
  await expect(page.getByText("返金済み", { exact: true })).toBeVisible();
  await expect(page.getByText(/お申し込みにより、16,500円を返金する/)).toBeVisible();
  await mailTo(buyer.email, new RegExp(`${number}[^]*16,500円`));

  // The course is locked at once and can be bought again.
  await page.goto("/mypage/course");
  await settled(page);
  await expect(page.getByRole("main")).toContainText("期限切れ");
  await page.goto(`/course/${COURSE.id}`);
  const offer = page.getByRole("complementary", { name: "値段と申し込み" });
  await expect(offer.getByRole("button", { name: "カートに入れる" })).toBeVisible();

  await page.goto(`/mypage/history/${id}`);
  await page.getByRole("link", { name: "返還インボイス" }).click();
  const invoice = page.getByRole("article", { name: "返還インボイス" });
  await expect(invoice.getByRole("row", { name: "10%対象" })).toContainText("16,500円");
  await expect(invoice.getByRole("row", { name: "内消費税" })).toContainText("1,500円");
  await page.goto(`/mypage/history/${id}/purchase`);
  await page.getByRole("button", { name: "領収書を発行する" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "PDFを保存する" }).click();
  const bytes = await readFile(await (await saved).path());
  expect(bytes.subarray(0, 5).toString()).toBe("%PDF-");

  await page.goto(`/mypage/history/${id}/refund`);
  await expect(page.getByText("すべての講座の返金の手続きが済んでいます。")).toBeVisible();
});

test("the refund of another account's order is not found", async ({ browser }) => {
  const { id } = await buy(await newPerson(), COURSE.id);
  const other = await pageOf(browser, await newPerson());
  await other.goto(`/mypage/history/${id}/refund`);
  await expect(other.getByText("not found", { exact: true })).toBeVisible();
});
