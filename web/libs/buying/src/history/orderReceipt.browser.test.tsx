import { problem } from "@konomana/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { faults, open, orderOf, paidOrder, receiptOf, seatLine } from "../orderTesting";
import { coupons, DETAIL, discounted, FIND, FIND_RECEIPT, RECEIPT } from "./historyTesting";

const ISSUE = "POST commerce/order/{id}/receipt/";

/** Fake timers: a test triggers the polling of an order by advancing the time. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

test("the receipt of an exam names the candidate", async () => {
  const { screen } = await open(RECEIPT, {
    [FIND]: () => paidOrder({ lines: [seatLine] }),
    [FIND_RECEIPT]: () => receiptOf({ addressee: "葵 花子", issues: 1, lines: [seatLine] }),
  });
  await expect
    .element(screen.getByRole("article", { name: "領収書" }))
    .toMatchTextContent(/コノ模試 第2回受験される方：木下 葵さん/);
});

test("a receipt is issued to the buyer's addressee and has everything required of an invoice", async () => {
  const sent: unknown[] = [];
  const { screen } = await open(RECEIPT, {
    [FIND_RECEIPT]: () => receiptOf({ addressee: null, issues: 0, issued_at: null }),
    [ISSUE]: ({ body }) => {
      sent.push(body);
      return receiptOf({ addressee: "青空塾" });
    },
  });
  const field = screen.getByRole("textbox", { name: /宛名/ });
  await expect.element(field).toHaveValue("木下 葵");
  expect(screen.getByRole("article", { name: "領収書" }).elements()).toEqual([]);
  await field.fill("あ".repeat(61));
  await screen.getByRole("button", { name: "領収書を発行する" }).click();
  await expect.element(screen.getByText("宛名は60文字以内で入力してください。")).toBeVisible();
  await field.fill("");
  await screen.getByRole("button", { name: "領収書を発行する" }).click();
  await expect.element(screen.getByText("宛名を入力してください。")).toBeVisible();
  expect(sent).toEqual([]);
  await field.fill(" 青空塾 ");
  await screen.getByRole("button", { name: "領収書を発行する" }).click();
  const sheet = screen.getByRole("article", { name: "領収書" });
  await expect.element(sheet.getByText("青空塾 様")).toBeVisible();
  expect(sent).toEqual([{ addressee: "青空塾" }]);
  for (const text of [
    "R-261125-7Q4F2",
    "KM-261125-7Q4F2",
    "中3数学 二次方程式と関数",
    "株式会社コノマナ",
    "T0000000000000",
    "クレジットカード",
  ])
    await expect.element(sheet).toMatchTextContent(text);
  await expect.element(sheet.getByRole("row", { name: "10%対象（税込） 16,500円" })).toBeVisible();
  await expect.element(sheet.getByRole("row", { name: "内消費税（10%） 1,500円" })).toBeVisible();
  expect(sheet.getByText("再発行").elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
});

test("a receipt for another addressee is marked as a reissue", async () => {
  const { screen } = await open(RECEIPT, {
    [FIND_RECEIPT]: () => receiptOf(),
    [ISSUE]: () => receiptOf({ addressee: "木下 恵", issues: 2 }),
  });
  await screen.getByRole("button", { name: "宛名を変えて再発行する" }).click();
  const field = screen.getByRole("textbox", { name: /宛名/ });
  await expect.element(field).toHaveValue("木下 葵");
  await field.fill("木下 恵");
  await screen.getByRole("button", { name: "再発行する", exact: true }).click();
  const sheet = screen.getByRole("article", { name: "領収書" });
  await expect.element(sheet.getByText("再発行", { exact: true })).toBeVisible();
  await expect.element(sheet.getByText("木下 恵 様")).toBeVisible();
  expect(field.elements()).toEqual([]);
});

test("the server's error for an addressee is shown beside the field", async () => {
  const { screen } = await open(RECEIPT, {
    [FIND_RECEIPT]: () => receiptOf({ addressee: null, issues: 0, issued_at: null }),
    [ISSUE]: () =>
      problem(400, "INVALID", { errors: [{ field: "addressee", code: "INVALID_FORMAT" }] }),
  });
  await screen.getByRole("button", { name: "領収書を発行する" }).click();
  await expect.element(screen.getByText("宛名に使えない文字が入っています。")).toBeVisible();
});

test("the receipt is printed", async () => {
  const print = vi.spyOn(globalThis, "print").mockReturnValue();
  const { screen } = await open(RECEIPT, { [FIND_RECEIPT]: () => receiptOf() });
  await screen.getByRole("button", { name: "印刷する" }).click();
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
});

test("a receipt shows subtotal and discount; its tax is that of the paid amount", async () => {
  const { lines, discount, total, tax } = discounted();
  const { screen } = await open(RECEIPT, {
    [FIND_RECEIPT]: () => receiptOf({ lines, discount, coupons, total, tax }),
  });
  const sheet = screen.getByRole("article", { name: "領収書" });
  await expect
    .element(sheet)
    .toMatchTextContent(
      /小計16,500円クーポン「冬の講習応援」−2,475円合計14,025円10%対象（税込）14,025円内消費税（10%）1,275円/,
    );
  await expect.element(sheet).toMatchTextContent(/下記のとおり、領収いたしました。/);
  expect(await faults(screen.container)).toEqual([]);
});

test("an order of 0 yen shows that nothing was paid, on its receipt too", async () => {
  const lines = orderOf().lines.map((line) => ({ ...line, discount: line.price }));
  const free = paidOrder({
    lines,
    discount: 16_500,
    coupons: [{ id: 9, name: "全額クーポン", amount: 16_500 }],
    total: 0,
    tax: 0,
    payment: { method: "coupon" },
  });
  const { screen } = await open(DETAIL, { [FIND]: () => free });
  await expect.element(screen.getByText("お支払いなしで注文が確定しました")).toBeVisible();
  await expect
    .element(screen.getByText("クーポンのご利用により、お支払いはありません。"))
    .toBeVisible();
  await expect.element(screen.getByText(/クレジットカード（一括払い）/)).not.toBeInTheDocument();
  await screen.unmount();

  const receipt = await open(RECEIPT, {
    [FIND_RECEIPT]: () =>
      receiptOf({
        lines,
        discount: 16_500,
        coupons: free.coupons,
        total: 0,
        tax: 0,
        method: "coupon",
      }),
  });
  const sheet = receipt.screen.getByRole("article", { name: "領収書" });
  await expect.element(sheet).toMatchTextContent(/お支払いいただいた金額は0円です。/);
  await expect.element(sheet).toMatchTextContent(/お支払い方法クーポン/);
  await expect.element(sheet).not.toMatchTextContent(/領収いたしました/);
  expect(await faults(receipt.screen.container)).toEqual([]);
});

test("a receipt is saved as a file with its number, or the screen shows why not", async () => {
  let isDown = true;
  const names: string[] = [];
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  const { screen } = await open(RECEIPT, {
    [FIND_RECEIPT]: () => receiptOf(),
    "GET commerce/order/{id}/receipt/pdf/": () =>
      isDown
        ? problem(502, "UPSTREAM_UNAVAILABLE")
        : new Response("%PDF-1.7", { headers: { "content-type": "application/pdf" } }),
  });
  const save = screen.getByRole("button", { name: "PDFを保存する" });
  await save.click();
  await expect.element(screen.getByText("PDFを保存できませんでした")).toBeVisible();
  isDown = false;
  await save.click();
  await expect.poll(() => names).toEqual(["receipt-R-261125-7Q4F2.pdf"]);
  click.mockRestore();
});
