import { inventoryOf, itemOf, learner, listOf, problem } from "@konomana/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { OrderLine } from "../api";
import {
  bankOrder,
  faults,
  konbini,
  konbiniOrder,
  open,
  ORDER,
  orderOf,
  paidOrder,
  receiptOf,
  REFUND,
  refundOf,
  seatLine,
  SUBSCRIPTION,
  subscriptionOf,
  subscriptionOrder,
} from "../orderTesting";
import type { Order } from "../api";
import { DETAIL, discounted, FIND, FIND_RECEIPT, LIST, RECEIPT } from "./historyTesting";

const OTHER_REFUND = REFUND.replace("0", "1");

/** Fake timers: a test triggers the polling of an order by advancing the time. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const MONTHLY = "GET commerce/subscription/";

const listed = (results: readonly Order[], rest: { count?: number; next?: string } = {}) => ({
  ...listOf(...results.map((order) => ({ ...order, confirmation: null }))),
  ...rest,
});

test("every order is listed with its day, state and price", async () => {
  const [line] = orderOf().lines;
  const { screen } = await open(LIST, {
    "GET commerce/order/": () =>
      listed([
        orderOf({ payment: { state: "unknown" } }),
        orderOf({ id: ORDER.replace("0", "1") }),
        paidOrder({
          id: ORDER.replace("0", "2"),
          lines: [line, line, line].flatMap((one) => one ?? []),
        }),
        orderOf({ id: ORDER.replace("0", "3"), state: "expired" }),
        bankOrder({ id: ORDER.replace("0", "4"), payment: { state: "part_funded" } }),
        paidOrder({ id: ORDER.replace("0", "5"), state: "part_refunded" }),
        paidOrder({ id: ORDER.replace("0", "6"), state: "refunded" }),
      ]),
    [MONTHLY]: () => listOf(),
  });
  const rows = screen.getByRole("main").getByRole("listitem");
  await expect
    .element(rows.nth(0))
    .toMatchTextContent(
      /二次方程式と関数.*2026年11月25日\(水\) 10:00.*KM-261125-7Q4F2.*16,500円.*お支払いを確認中/,
    );
  await expect.element(rows.nth(1)).toMatchTextContent("お支払い待ち");
  await expect.element(rows.nth(2)).toMatchTextContent(/ほか2件.*受講できます/);
  await expect.element(rows.nth(3)).toMatchTextContent("期限切れ");
  await expect.element(rows.nth(4)).toMatchTextContent(/銀行振込.*残りのお支払い待ち/);
  await expect.element(rows.nth(5)).toMatchTextContent("一部を返金");
  await expect.element(rows.nth(6)).toMatchTextContent("返金済み");
  await expect.element(rows.nth(0).getByRole("link")).toHaveAttribute("href", DETAIL);
  expect(await faults(screen.container)).toEqual([]);
});

test("the orders are paged by the server's links", async () => {
  const next = "https://www.konomana.example/api/commerce/order/?page=2&by=server";
  const { screen, calls } = await open(LIST, {
    "GET commerce/order/": () => listed([orderOf()], { count: 21, next }),
    [MONTHLY]: () => listOf(),
  });
  await screen.getByRole("button", { name: "次へ" }).click();
  await expect.poll(() => calls).toContain("GET commerce/order/?page=2&by=server");
  await expect.element(screen.getByLabelText("address")).toHaveTextContent(`${LIST}?page=2`);
});

test("an account without orders gets a link to the courses", async () => {
  const { screen } = await open(LIST, {
    "GET commerce/order/": () => listed([]),
    [MONTHLY]: () => listOf(),
  });
  await expect
    .element(screen.getByRole("heading", { name: "まだご注文がありません" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "講座をさがす" }))
    .toHaveAttribute("href", "/course");
});

test("an order shows its events, lines, tax and accepted terms", async () => {
  const { screen } = await open(DETAIL, { [FIND]: () => paidOrder() });
  const steps = screen.getByRole("region", { name: "これまでの流れ" }).getByRole("listitem");
  await expect
    .element(steps.nth(0))
    .toMatchTextContent(/ご注文を受け付けました.*11月25日\(水\) 10:00/);
  await expect
    .element(steps.nth(1))
    .toMatchTextContent(/お支払いが完了しました.*11月25日\(水\) 10:05/);
  await expect.element(steps.nth(2)).toMatchTextContent("講座をご利用いただけます");
  await expect
    .element(screen.getByRole("link", { name: "返金額を確かめる" }))
    .toHaveAttribute("href", `${DETAIL}/refund`);
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect.element(contents).toMatchTextContent(/木下 葵さん・利用期間 365日間/);
  await expect.element(contents).toMatchTextContent(/うち消費税（10%） 1,500円/);
  const terms = screen.getByText("お客さまの都合による返品", { exact: false });
  await expect.element(terms).not.toBeVisible();
  await screen.getByText("ご注文のときに確認した内容").click();
  await expect.element(terms).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "領収書" }))
    .toHaveAttribute("href", RECEIPT);
  expect(screen.getByRole("button", { name: "支払いを続ける" }).elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
});

test("an order of a contract shows its document and the way to its cooling-off", async () => {
  const { confirmation } = orderOf();
  if (confirmation === null) throw new Error("an order has a confirmation");
  const contract = [
    { title: "クーリング・オフ", text: "8日間は、理由を問わず契約を解除できます。" },
    { title: "役務の内容", text: "個別指導つき 高3数学：一行の要約" },
  ];
  const document = { ...confirmation.document, contract };
  let order = orderOf({ confirmation: { ...confirmation, document } });
  const { screen } = await open(DETAIL, { [FIND]: () => order });
  const panel = screen.getByRole("region", { name: "契約書面（特定継続的役務提供）" });
  await expect
    .element(panel)
    .toMatchTextContent(/2026年11月25日\(水\) 10:00.*KM-261125-7Q4F2.*8日間は.*一行の要約/);
  expect(panel.getByRole("link").elements()).toEqual([]);
  order = paidOrder({ confirmation: { ...confirmation, document } });
  vi.advanceTimersByTime(1000);
  await expect
    .element(panel.getByRole("link", { name: /クーリング・オフ/ }))
    .toHaveAttribute("href", `${DETAIL}/refund`);
  expect(await faults(screen.container)).toEqual([]);
});

test("an unpaid order can be paid and cancelled, and updates by itself once it is paid", async () => {
  let order = orderOf();
  const { screen } = await open(DETAIL, { [FIND]: () => order });
  await expect.element(screen.getByRole("button", { name: "支払いを続ける" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "注文を取り消す" })).toBeVisible();
  await expect.element(screen.getByText("お支払いの期限", { exact: true })).toBeVisible();
  order = paidOrder();
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByRole("link", { name: "領収書" })).toBeVisible();
  expect(screen.getByRole("button", { name: "支払いを続ける" }).elements()).toEqual([]);
});

test("the payment instructions for a store stay with the order, collapsed once it is paid", async () => {
  let order = konbiniOrder();
  const { screen } = await open(DETAIL, { [FIND]: () => order });
  const code = konbini.stores[0]?.payment_code ?? "";
  const panel = screen.getByRole("tabpanel", { name: "ファミリーマート" });
  await expect.element(panel.getByText(code, { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "別の方法で支払う" })).toBeVisible();
  await expect
    .element(screen.getByRole("region", { name: "これまでの流れ" }))
    .toMatchTextContent("お支払いの期限2026年11月28日(土)まで");
  expect(screen.getByRole("button", { name: "支払いを続ける" }).elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
  order = konbiniOrder({
    state: "fulfilled",
    paid_at: "2026-11-26T01:00:00Z",
    payment: { state: "succeeded" },
  });
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText("コンビニ払い・お支払い済み")).toBeVisible();
  await expect.element(screen.getByText(code, { exact: false })).not.toBeVisible();
  await screen.getByText("お支払いのご案内（控え）").click();
  await expect.element(screen.getByText(code, { exact: false })).toBeVisible();
  await expect.element(screen.getByText(/もう一度支払う必要はありません/)).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});

test("the subscriptions are above the orders, each with its next event", async () => {
  const { screen } = await open(LIST, {
    "GET commerce/order/": () => listed([subscriptionOrder()]),
    [MONTHLY]: () =>
      listOf(
        subscriptionOf(),
        subscriptionOf({
          id: SUBSCRIPTION.replace("0", "1"),
          state: "past_due",
          next_charge_at: null,
          retry_at: "2026-12-25T15:00:00Z",
        }),
      ),
  });
  const rows = screen.getByRole("region", { name: "月額サービス" }).getByRole("listitem");
  await expect
    .element(rows.nth(0))
    .toMatchTextContent(
      /質問し放題（木下 葵さん）.*次のお支払いは2026年12月25日\(金\)、2,980円.*ご利用中/,
    );
  await expect.element(rows.nth(1)).toMatchTextContent(/12月26日\(土\)に、もう一度請求します/);
  await expect
    .element(rows.nth(0).getByRole("link"))
    .toHaveAttribute("href", `/mypage/history/subscribe/${SUBSCRIPTION}`);
  expect(await faults(screen.container)).toEqual([]);
});

test("orders are shown when the subscriptions fail to load", async () => {
  const { screen } = await open(LIST, {
    "GET commerce/order/": () => listed([orderOf()]),
    [MONTHLY]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await expect.element(screen.getByText("中3数学 二次方程式と関数")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "もう一度試す" })).toBeVisible();
});

test("an order that started a subscription links to it", async () => {
  const { screen } = await open(DETAIL, { [FIND]: () => subscriptionOrder() });
  await expect
    .element(screen.getByRole("link", { name: "月額サービスの契約と解約" }))
    .toHaveAttribute("href", `/mypage/history/subscribe/${SUBSCRIPTION}`);
  await expect.element(screen.getByText("月2,980円", { exact: true })).toBeVisible();
  await expect
    .element(screen.getByRole("region", { name: "これまでの流れ" }))
    .toMatchTextContent("月額サービスのご利用期間が始まりました");
  expect(screen.getByText(/受講|講座をご利用/).elements()).toEqual([]);
  // A subscription is cancelled instead.
  expect(screen.getByRole("link", { name: "返金額を確かめる" }).elements()).toEqual([]);
});

test("a duplicate payment is shown with the reason of its refund", async () => {
  const { screen } = await open(DETAIL, {
    [FIND]: () =>
      paidOrder({
        state: "refunded",
        refunds: [refundOf({ reason: "duplicate", state: "succeeded", has_invoice: true })],
      }),
  });
  await expect
    .element(screen.getByText(/別のご注文で先に支払われていたため、16,500円を全額お返しする/))
    .toBeVisible();
});

test("a failed refund to a bank account is retried by one press", async () => {
  const failed = refundOf({ reason: "buyer", state: "failed", can_retry: true });
  const bank = { payment: { method: "bank_transfer" } } as const;
  let presses = 0;
  const { screen } = await open(DETAIL, {
    [FIND]: () => paidOrder({ ...bank, state: "refunded", refunds: [failed] }),
    "POST commerce/order/{id}/refund/{refund}/retry/": () => {
      presses += 1;
      return paidOrder({
        ...bank,
        state: "refunded",
        refunds: [
          { ...failed, can_retry: false, is_replaced: true },
          refundOf({ id: OTHER_REFUND, reason: "buyer", state: "needs_details" }),
        ],
      });
    },
  });
  await expect.element(screen.getByText("返金先の口座に振り込めませんでした")).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
  await screen.getByRole("button", { name: "返金先の口座をもう一度入力する" }).click();
  await expect.element(screen.getByText("返金先の口座をお知らせください")).toBeVisible();
  await expect.element(screen.getByText(/次の返金でやり直しました/)).toBeVisible();
  expect(presses).toBe(1);
});

test("a refund replaced by another one shows so", async () => {
  const { screen } = await open(DETAIL, {
    [FIND]: () =>
      paidOrder({
        state: "refunded",
        refunds: [
          refundOf({ reason: "buyer", state: "overtaken" }),
          refundOf({ id: OTHER_REFUND, reason: "outside", state: "succeeded" }),
        ],
      }),
  });
  await expect.element(screen.getByText("別の返金に切り替わりました")).toBeVisible();
  await expect.element(screen.getByText(/この手続きは取りやめました/)).toBeVisible();
  await expect.element(screen.getByText("返金しました", { exact: true })).toBeVisible();
});

test("an order of an exam and its receipt use the words of an exam", async () => {
  const seat = paidOrder({ lines: [seatLine], total: 4400, tax: 400 });
  const { screen } = await open(DETAIL, { [FIND]: () => seat });
  const main = screen.getByRole("main");
  await expect.element(main).toMatchTextContent(/受験できます.*受験の準備を始められます.*受験 1回/);
  await expect.element(main).not.toMatchTextContent(/受講できます|講座をご利用/);
  expect(await faults(screen.container)).toEqual([]);
});

test("a bought seat and a course that can be opened are one press away", async () => {
  const [course] = orderOf().lines;
  const others = [
    { ...course, n: 2, product_id: 1101, course_id: 101, name: "期限の切れた講座" },
    { ...course, n: 3, product_id: 1102, course_id: 102, name: "返金した講座", refunded: 16_500 },
    { ...seatLine, n: 4 },
    { ...seatLine, n: 5, product_id: 2302, exam_id: 3, name: "返金した模試", refunded: 4400 },
  ];
  const lines = [course, ...others].flatMap((line) =>
    line === undefined ? [] : [line as OrderLine],
  );
  const items = [105, 101, 102].map((id) =>
    itemOf({ id: id - 100, course: { id }, is_expired: id === 101 }),
  );
  const { screen } = await open(DETAIL, {
    [FIND]: () => paidOrder({ state: "part_refunded", lines }),
    "GET lms/inventory/": () => inventoryOf(...items),
  });
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect
    .element(contents.getByRole("link", { name: "学習ページを開く（中3数学 二次方程式と関数）" }))
    .toHaveAttribute("href", "/mypage/learnning/5");
  await expect
    .element(contents.getByRole("link", { name: "模試のページを開く（コノ模試 第2回）" }))
    .toHaveAttribute("href", "/mypage/mockexam/2");
  expect(contents.getByRole("link").elements()).toHaveLength(2);
  expect(await faults(screen.container)).toEqual([]);
});

test("a line of an order that is not granted yet has no link", async () => {
  const { screen } = await open(DETAIL, {
    [FIND]: () => paidOrder({ state: "paid", lines: [seatLine] }),
  });
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect.element(contents).toMatchTextContent("コノ模試 第2回");
  expect(contents.getByRole("link").elements()).toEqual([]);
});

test("a guardian gets to the child who has the course", async () => {
  const guardian = { ...learner, id: "018f0000-0000-7000-8000-000000000009", scope: ["guardian"] };
  const { screen } = await open(DETAIL, { [FIND]: () => paidOrder() }, { user: guardian });
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect
    .element(contents.getByRole("link", { name: /木下 葵さんの学習を見る/ }))
    .toHaveAttribute("href", `/mypage/child/${learner.id}`);
});

test("refunds are shown, including failed ones", async () => {
  const { screen } = await open(DETAIL, {
    [FIND]: () =>
      paidOrder({
        refunds: [
          refundOf({ state: "succeeded" }),
          refundOf({ id: ORDER, amount: 300, state: "failed", reason: "excess" }),
        ],
      }),
  });
  await expect.element(screen.getByText("返金しました", { exact: true })).toBeVisible();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/300円.*担当者がべつの方法で返金します/);
  await expect.element(screen.getByText("16,500円の返金の手続きをしました")).toBeVisible();
});

test.each([DETAIL, RECEIPT])("%s of another account is not found", async (path) => {
  const { screen } = await open(path, {});
  await expect.element(screen.getByText("not found")).toBeVisible();
});

test("an order that fails to load shows the reason and can be loaded again", async () => {
  let isBroken = true;
  const { screen } = await open(DETAIL, {
    [FIND]: () => (isBroken ? problem(502, "UPSTREAM_UNAVAILABLE") : paidOrder()),
  });
  await expect.element(screen.getByText(/ただいまつながりにくくなっています。/)).toBeVisible();
  isBroken = false;
  await screen.getByRole("button", { name: "もう一度試す" }).click();
  await expect.element(screen.getByRole("heading", { name: "ご注文の詳細" })).toBeVisible();
});

test("a learner who has left is labelled so", async () => {
  const lines = orderOf().lines.map((line) => ({
    ...line,
    learner: { ...line.learner, name: "" },
  }));
  const order = await open(DETAIL, { [FIND]: () => paidOrder({ lines }) });
  await expect.element(order.screen.getByText("退会された方・利用期間 365日間")).toBeVisible();
  const receipt = await open(RECEIPT, {
    [FIND]: () => paidOrder({ lines }),
    [FIND_RECEIPT]: () => receiptOf({ lines }),
  });
  await expect.element(receipt.screen.getByText("受講される方：退会された方")).toBeVisible();
});

test("an order and its list entry show the coupon discounts", async () => {
  const { screen } = await open(DETAIL, { [FIND]: () => discounted() });
  await expect
    .element(screen.getByRole("region", { name: "ご注文の内容" }))
    .toMatchTextContent(
      /16,500円割引 −2,475円小計16,500円クーポン「冬の講習応援」−2,475円合計（税込）14,025円/,
    );
  expect(await faults(screen.container)).toEqual([]);
  await screen.unmount();

  const list = await open(LIST, { "GET commerce/order/": () => listed([discounted()]) });
  await expect
    .element(list.screen.getByRole("main").getByRole("listitem"))
    .toMatchTextContent(/14,025円クーポン割引 −2,475円/);
  expect(await faults(list.screen.container)).toEqual([]);
});

test("an order from before coupons existed shows its terms of that time", async () => {
  const { screen } = await open(DETAIL, { [FIND]: () => paidOrder() });
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect.element(contents).toMatchTextContent(/合計（税込）16,500円/);
  await expect.element(contents).not.toMatchTextContent(/小計|割引/);
  await screen.getByText("ご注文のときに確認した内容").click();
  await expect.element(screen.getByText("クレジットカード", { exact: true })).toBeVisible();
});
