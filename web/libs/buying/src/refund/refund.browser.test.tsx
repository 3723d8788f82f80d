import { problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { RefundQuote, RefundQuoteLine, ReturnInvoice } from "../api";
import { faults, open, ORDER, paidOrder, REFUND, refundOf } from "../orderTesting";

const SCREEN = `/mypage/history/${ORDER}/refund`;
const QUOTE = "GET commerce/order/{id}/refund/";
const REQUEST = "POST commerce/order/{id}/refund/";
const INVOICE = "GET commerce/order/{id}/refund/{refund}/invoice/";

const math: RefundQuoteLine = {
  n: 1,
  name: "中3数学 二次方程式と関数",
  kind: "course",
  learner: { id: "a", name: "木下 葵" },
  paid: 16_500,
  refunded: 0,
  lessons_total: 18,
  lessons_opened: 2,
  rule: "full",
  rule_text: "開いたレッスンは18本のうち2本（20%未満）なので、全額が戻ります。",
  full_until: "2026-12-03T15:00:00Z",
  amount: 16_500,
  last_use_at: "2027-11-25T01:05:00Z",
};
const english: RefundQuoteLine = {
  ...math,
  n: 2,
  name: "中3英語 高校入試の英作文",
  lessons_opened: 8,
  rule: "pro_rata",
  rule_text: "16,500円 × 開いていないレッスン10本 ÷ 18本 = 9,166円（1円未満切り捨て）",
  full_until: null,
  amount: 9166,
};
const over: RefundQuoteLine = {
  ...math,
  n: 3,
  name: "中3社会 公民と歴史の総整理",
  rule: "none",
  rule_text: "利用期間が終わっているため、戻る金額はありません。",
  full_until: null,
  amount: 0,
};

const quoteOf = (lines: RefundQuoteLine[], given: Partial<RefundQuote> = {}): RefundQuote => ({
  digest: "a".repeat(64),
  policy_version: 1,
  computed_at: "2026-11-26T01:00:00Z",
  is_refundable: true,
  reason: null,
  lines,
  total: lines.reduce((sum, { amount }) => sum + amount, 0),
  tax: 0,
  method: "card",
  arrival_text: "お支払いのカードに返金します。明細に出るまで、数日かかることがあります。",
  ...given,
});

const press = page.getByRole("button", { name: "返金を申し込む" });

beforeEach(() => sessionStorage.clear());

test("the refund of each course is shown with its calculation", async () => {
  const { screen } = await open(SCREEN, { [QUOTE]: () => quoteOf([math, english, over]) });
  const lines = screen.getByRole("listitem");
  await expect
    .element(lines.nth(0))
    .toMatchTextContent(/二次方程式.*16,500円.*20%未満.*12月3日\(木\)まで/);
  await expect.element(lines.nth(1)).toMatchTextContent(/9,166円.*÷ 18本 = 9,166円/);
  await expect.element(lines.nth(2)).toMatchTextContent(/0円.*戻る金額はありません/);
  await expect.element(screen.getByRole("checkbox")).toHaveLength(2);
  const total = screen.getByRole("status").filter({ hasText: "戻る金額の合計" });
  await expect.element(total).toMatchTextContent("戻る金額の合計0円");
  await screen.getByRole("checkbox", { name: /二次方程式/ }).click();
  await screen.getByRole("checkbox", { name: /英作文/ }).click();
  await expect.element(total).toMatchTextContent("戻る金額の合計25,666円");
  expect(await faults(screen.container)).toEqual([]);
});

test("an exam seat is refunded like a course, in its own words", async () => {
  const seat: RefundQuoteLine = {
    ...math,
    name: "コノ模試 第2回",
    kind: "exam_seat",
    paid: 4400,
    lessons_total: 0,
    lessons_opened: 0,
    rule_text:
      "申込みの締め切り（2027年3月14日）までのお申し込みのため、お支払い額の4,400円を全額返金します。",
    full_until: "2027-03-14T15:00:00Z",
    amount: 4400,
    last_use_at: null,
  };
  const { screen } = await open(SCREEN, { [QUOTE]: () => quoteOf([seat]) });
  await expect.element(screen.getByText("返金する模試をえらぶ")).toBeVisible();
  await expect.element(screen.getByText(/えらんだ模試は受験できなくなります/)).toBeVisible();
  await expect.element(screen.getByRole("main")).not.toMatchTextContent(/講座|レッスン/);
  expect(await faults(screen.container)).toEqual([]);
});

test("one press requests the refund of the chosen courses and opens the order", async () => {
  const sent: unknown[] = [];
  const { screen } = await open(SCREEN, {
    [QUOTE]: () => quoteOf([math, english]),
    [REQUEST]: ({ body }) => {
      sent.push(body);
      return paidOrder({ state: "part_refunded", refunds: [refundOf({ reason: "buyer" })] });
    },
    "GET commerce/order/{id}/": () =>
      paidOrder({
        state: "part_refunded",
        refunds: [refundOf({ reason: "buyer", has_invoice: true })],
      }),
  });
  await press.click();
  await expect.element(screen.getByText("返金する講座を1つ以上えらんでください。")).toBeVisible();
  expect(sent).toEqual([]);
  await screen.getByRole("checkbox", { name: /英作文/ }).click();
  await press.click();
  await expect
    .element(screen.getByLabelText("address"))
    .toHaveTextContent(`/mypage/history/${ORDER}`);
  expect(sent).toEqual([{ quote: "a".repeat(64), lines: [2] }]);
  await expect.element(screen.getByText(/お申し込みにより、16,500円を返金する/)).toBeVisible();
  await expect.element(screen.getByText("一部を返金", { exact: true })).toBeVisible();
});

test("an order of one course needs only the press", async () => {
  const sent: unknown[] = [];
  await open(SCREEN, {
    [QUOTE]: () => quoteOf([math]),
    [REQUEST]: ({ body }) => {
      sent.push(body);
      return paidOrder({ state: "refunded" });
    },
    "GET commerce/order/{id}/": () => paidOrder({ state: "refunded" }),
  });
  await press.click();
  await expect.poll(() => sent).toEqual([{ quote: "a".repeat(64), lines: [1] }]);
});

test("a changed amount is shown with the old one and needs another press", async () => {
  let amount = 16_500;
  const sent: unknown[] = [];
  const { screen } = await open(SCREEN, {
    [QUOTE]: () =>
      amount === 16_500
        ? quoteOf([math])
        : quoteOf([{ ...math, amount, rule: "pro_rata" }], { digest: "b".repeat(64) }),
    [REQUEST]: ({ body }) => {
      sent.push(body);
      return sent.length === 1 ? problem(409, "QUOTE_CHANGED") : paidOrder({ state: "refunded" });
    },
    "GET commerce/order/{id}/": () => paidOrder({ state: "refunded" }),
  });
  await expect.element(press).toBeVisible();
  amount = 13_750;
  await press.click();
  const alert = screen.getByRole("alert").filter({ hasText: "返金額が変わりました" });
  await expect.element(alert).toMatchTextContent(/16,500円 → 13,750円/);
  expect(sent).toHaveLength(1);
  await press.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[1]).toEqual({ quote: "b".repeat(64), lines: [1] });
});

test("a lost response shows a message, keeps the choice, and is retried", async () => {
  let lost = true;
  const sent: unknown[] = [];
  const { screen } = await open(SCREEN, {
    [QUOTE]: () => quoteOf([math, english]),
    [REQUEST]: ({ body }) => {
      sent.push(body);
      if (lost) throw new TypeError("Failed to fetch");
      return paidOrder({ state: "part_refunded" });
    },
    "GET commerce/order/{id}/": () => paidOrder({ state: "part_refunded" }),
  });
  await screen.getByRole("checkbox", { name: /二次方程式/ }).click();
  await press.click();
  await expect.element(screen.getByText("返金を申し込めませんでした")).toBeVisible();
  await expect.element(screen.getByRole("checkbox", { name: /二次方程式/ })).toBeChecked();
  lost = false;
  await press.click();
  await expect.poll(() => sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

test.each([
  ["NOT_PAID", "お支払いがまだ済んでいないか、ご注文が終了しています。"],
  ["ALL_REFUNDED", "すべての講座の返金の手続きが済んでいます。"],
] as const)("an order without a refund (%s) shows the reason", async (reason, sentence) => {
  const { screen } = await open(SCREEN, {
    [QUOTE]: () => quoteOf([], { is_refundable: false, reason }),
  });
  await expect.element(screen.getByText(sentence)).toBeVisible();
  expect(press.elements()).toEqual([]);
});

const invoice: ReturnInvoice = {
  number: "H-261125-7Q4F2-1",
  order_number: "KM-261125-7Q4F2",
  receipt_number: "R-261125-7Q4F2",
  addressee: "青空塾",
  issued_at: "2026-11-26T01:00:00Z",
  paid_at: "2026-11-25T01:05:00Z",
  refunded_at: "2026-11-26T01:00:00Z",
  lines: [{ name: "中3数学 二次方程式と関数", amount: 16_500 }],
  total: 16_500,
  tax: 1500,
  tax_rate: 10,
  issuer: "株式会社コノマナ",
  issuer_number: "T0000000000000",
};

test("a return invoice has everything required", async () => {
  const { screen } = await open(`${SCREEN}/${REFUND}`, { [INVOICE]: () => invoice });
  const sheet = screen.getByRole("article", { name: "返還インボイス" });
  for (const text of [
    "返還インボイス（適格返還請求書）",
    "お支払い日2026年11月25日",
    "H-261125-7Q4F2-1",
    "R-261125-7Q4F2",
    "青空塾 様",
    "T0000000000000",
    "2026年11月26日",
  ])
    await expect.element(sheet).toMatchTextContent(text);
  await expect.element(sheet.getByRole("row", { name: "10%対象（税込） 16,500円" })).toBeVisible();
  await expect.element(sheet.getByRole("row", { name: "合計 16,500円" })).toBeVisible();
  await expect.element(sheet.getByRole("row", { name: "内消費税（10%） 1,500円" })).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});
