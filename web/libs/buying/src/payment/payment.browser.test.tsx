import { inventoryOf, itemOf, learner, problem } from "@konomana/testing";
import { beforeEach, afterEach, expect, test, vi } from "vitest";
import {
  faults,
  open,
  ORDER,
  orderOf,
  paidOrder,
  refundOf,
  seatLine,
  subscriptionOf,
  subscriptionOrder,
} from "../orderTesting";

const COMPLETE = `/payment/complete/credit?order=${ORDER}`;
const CHECK = "POST commerce/order/{id}/check/";
const FIND = "GET commerce/order/{id}/";
const PAY = "POST commerce/order/{id}/pay/";
const CANCEL = "POST commerce/order/{id}/cancel/";

const guardian = { ...learner, id: "018f0000-0000-7000-8000-000000000009", scope: ["guardian"] };

/** Fake timers: a test triggers the polling of an order by advancing the time. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const A_WHILE = 60_000;

const count = (calls: readonly string[], call: string) =>
  calls.filter((one) => one === call).length;

test("an unpaid order shows its lines, amount and deadline, and opens the provider's page", async () => {
  const page_url = `${location.href.split("#")[0]}#pay`;
  const { screen, calls } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => orderOf(),
    [FIND]: () => orderOf(),
    [PAY]: () => orderOf({ payment: { page_url } }),
  });
  await expect.element(screen.getByText("中3数学 二次方程式と関数")).toBeVisible();
  await expect
    .element(screen.getByRole("main").getByRole("status").first())
    .toMatchTextContent(/16,500円（税込）.*2026年11月25日\(水\) 11:00/);
  expect(await faults(screen.container)).toEqual([]);
  const button = screen.getByRole("button", { name: "支払いを続ける" });
  await button.click();
  await expect.poll(() => location.hash).toBe("#pay");
  history.back();
  // The other page is loading, so another press does nothing.
  await screen
    .getByRole("button", { name: "お支払いのページを開いています…" })
    .click({ force: true });
  expect(count(calls, PAY)).toBe(1);
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(button).toBeVisible();
});

test.each([
  ["card_declined", /カード会社が、このカードでのお支払いを受け付けませんでした/],
  ["insufficient_funds", /ご利用可能額が足りません/],
  ["expired_card", /有効期限が切れています/],
  ["incorrect_cvc", /セキュリティコードが正しくありません/],
  ["payment_intent_authentication_failure", /本人認証（3Dセキュア）が完了しませんでした/],
  ["stolen_card", /このカードでのお支払いは、受け付けられませんでした/],
])("a declined card shows a plain message: %s", async (decline_code, sentence) => {
  const declined = orderOf({ payment: { decline_code } });
  const { screen } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => declined,
    [FIND]: () => declined,
  });
  const alert = screen.getByRole("main").getByRole("alert");
  await expect.element(alert).toMatchTextContent(sentence);
  await expect.element(alert).not.toMatchTextContent(decline_code);
});

test("an order is cancelled by the second press and then links to the cart", async () => {
  const { screen, calls } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => orderOf(),
    [FIND]: () => orderOf(),
    [CANCEL]: () => orderOf({ state: "cancelled", ended_at: "2026-11-25T01:10:00Z" }),
  });
  await screen.getByRole("button", { name: "注文を取り消す" }).click();
  expect(count(calls, CANCEL)).toBe(0);
  await screen.getByRole("dialog").getByRole("button", { name: "取り消す" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "ご注文は取り消されています" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "カートにもどる" }))
    .toHaveAttribute("href", "/cart");
});

test("a cancellation after the payment shows the payment", async () => {
  const { screen } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => orderOf(),
    [FIND]: () => orderOf(),
    [CANCEL]: () => paidOrder(),
    "GET lms/inventory/": () => inventoryOf(),
  });
  await screen.getByRole("button", { name: "注文を取り消す" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "取り消す" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "お支払いが完了しました" }))
    .toBeVisible();
  expect(screen.getByText("ご注文を取り消しました。").elements()).toEqual([]);
});

test("a payment page that can't be created shows the reason and the state of the order", async () => {
  let order = orderOf();
  const { screen } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => order,
    [FIND]: () => order,
    [PAY]: () => {
      order = orderOf({ state: "expired", ended_at: "2026-11-25T02:00:00Z" });
      return problem(409, "ORDER_CLOSED");
    },
  });
  await screen.getByRole("button", { name: "支払いを続ける" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "お支払いの期限が過ぎました" }))
    .toBeVisible();
});

test("a payment without the provider's answer is 確認中, and the page refreshes itself", async () => {
  let order = orderOf({ payment: { state: "unknown" } });
  const { screen, calls } = await open(`/payment?order=${ORDER}`, {
    [CHECK]: () => order,
    [FIND]: () => order,
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
  expect(screen.getByRole("button", { name: /支払/ }).elements()).toEqual([]);
  order = paidOrder({ state: "paid" });
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText(/受講の準備をしています/)).toBeVisible();
  order = paidOrder();
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText(/もうご利用いただけます/)).toBeVisible();
  expect(count(calls, CHECK)).toBe(1);
  const asked = count(calls, FIND);
  vi.advanceTimersByTime(A_WHILE);
  await expect.element(screen.getByRole("link", { name: "領収書" })).toBeVisible();
  expect(count(calls, FIND)).toBe(asked);
});

test("after returning from the provider, the course is one press away", async () => {
  const item = itemOf({ id: 77, course: { id: 105 } });
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => paidOrder(),
    "GET lms/inventory/": () => inventoryOf(item),
  });
  await expect
    .element(screen.getByRole("link", { name: "講座を始める（中3数学 二次方程式と関数）" }))
    .toHaveAttribute("href", "/mypage/learnning/77");
  await expect
    .element(screen.getByRole("link", { name: "領収書" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}/purchase`);
  await expect
    .element(screen.getByRole("link", { name: "ご注文の詳細" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}`);
  expect(await faults(screen.container)).toEqual([]);
});

test("a course that is not in the inventory yet is linked through the list", async () => {
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => paidOrder(),
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect
    .element(screen.getByRole("link", { name: "講座を始める（中3数学 二次方程式と関数）" }))
    .toHaveAttribute("href", "/mypage/course");
});

test("a guardian sees the child's next steps", async () => {
  const { screen, calls } = await open(
    COMPLETE,
    { [CHECK]: () => paidOrder() },
    { user: guardian },
  );
  await expect
    .element(screen.getByText(/木下 葵さんがログインすると、すぐに始められます。/))
    .toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "木下 葵さんの学習を見る" }))
    .toHaveAttribute("href", `/mypage/child/${learner.id}`);
  expect(calls).not.toContain("GET lms/inventory/?sort_by_watchhistory=true&page=1");
});

test("a bought exam seat is one press away from its exam", async () => {
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => paidOrder({ lines: [seatLine], total: 4400, tax: 400 }),
  });
  await expect
    .element(screen.getByRole("link", { name: "受験の準備を始める（コノ模試 第2回）" }))
    .toHaveAttribute("href", "/mypage/mockexam/2");
  expect(await faults(screen.container)).toEqual([]);
});

test("a guardian sees how the child prepares for the exam", async () => {
  const { screen } = await open(
    COMPLETE,
    { [CHECK]: () => paidOrder({ lines: [seatLine], total: 4400, tax: 400 }) },
    { user: guardian },
  );
  await expect
    .element(screen.getByRole("region", { name: "受験の準備" }))
    .toMatchTextContent(/コノ模試 第2回：木下 葵さんがログインすると、マイページの「模試」から/);
});

test("a paid subscription uses the words of a service", async () => {
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => subscriptionOrder({ state: "paid" }),
    "GET commerce/subscription/{id}/": () => subscriptionOf(),
  });
  await expect.element(screen.getByText(/ご利用の準備をしています/)).toBeVisible();
  expect(screen.getByText(/受講/).elements()).toEqual([]);
});

test("after a declined card on the provider's page, the payment can be retried", async () => {
  const declined = orderOf({ payment: { state: "failed", decline_code: "card_declined" } });
  const { screen } = await open(COMPLETE, { [CHECK]: () => declined, [FIND]: () => declined });
  await expect
    .element(screen.getByRole("heading", { name: "お支払いが完了していません" }))
    .toBeVisible();
  await expect.element(screen.getByRole("button", { name: "もう一度支払う" })).toBeVisible();
  await expect.element(screen.getByText(/二重に請求されることはありません/)).toBeVisible();
});

test("after returning without a payment, it is 確認中 with a link to continue", async () => {
  const { screen } = await open(COMPLETE, { [CHECK]: () => orderOf(), [FIND]: () => orderOf() });
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "お支払いの続きへ" }))
    .toHaveAttribute("href", `/payment?order=${ORDER}`);
});

test("a late payment is shown with its refund", async () => {
  const late = orderOf({
    state: "expired",
    ended_at: "2026-11-25T02:00:00Z",
    payment: { state: "succeeded" },
    refunds: [refundOf()],
  });
  const { screen } = await open(COMPLETE, { [CHECK]: () => late });
  await expect.element(screen.getByText("返金の手続きをしています")).toBeVisible();
  await expect.element(screen.getByText(/16,500円を、全額お返しする手続き/)).toBeVisible();
  expect(screen.getByText(/お支払いは行われていません/).elements()).toEqual([]);
});

test("without a network the page shows a notice, keeps its data, and continues after the reconnect", async () => {
  let order = orderOf({ payment: { state: "unknown" } });
  let isDown = false;
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => order,
    [FIND]: () => {
      if (isDown) throw new TypeError("Failed to fetch");
      return order;
    },
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
  isDown = true;
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText("インターネットにつながっていません")).toBeVisible();
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
  order = paidOrder();
  isDown = false;
  dispatchEvent(new Event("online"));
  await expect.element(screen.getByText(/もうご利用いただけます/)).toBeVisible();
  expect(screen.getByText("インターネットにつながっていません").elements()).toEqual([]);
});

test("a page opened offline checks the payment after the reconnect", async () => {
  let isDown = true;
  const { screen, calls } = await open(COMPLETE, {
    [CHECK]: () => {
      if (isDown) throw new TypeError("Failed to fetch");
      return paidOrder();
    },
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect.element(screen.getByText("インターネットにつながっていません")).toBeVisible();
  isDown = false;
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText(/もうご利用いただけます/)).toBeVisible();
  expect(count(calls, FIND)).toBe(0);
});

test("a hidden page does not poll, and polls when it is visible again", async () => {
  const state = vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  const order = orderOf({ payment: { state: "unknown" } });
  const { screen, calls } = await open(COMPLETE, { [CHECK]: () => order, [FIND]: () => order });
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
  state.mockReturnValue("hidden");
  dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(A_WHILE);
  expect(count(calls, FIND)).toBe(0);
  state.mockReturnValue("visible");
  dispatchEvent(new Event("visibilitychange"));
  await expect.poll(() => count(calls, FIND)).toBe(1);
  await expect
    .poll(() => {
      vi.advanceTimersByTime(1000);
      return count(calls, FIND);
    })
    .toBe(2);
  state.mockRestore();
});

test("when the server can't reach the provider, the order is still shown", async () => {
  const order = orderOf({ payment: { state: "unknown" } });
  const { screen } = await open(COMPLETE, {
    [CHECK]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
    [FIND]: () => order,
  });
  await expect.element(screen.getByText(/^確認中です。/)).toBeVisible();
});

const paths = ["/payment", "/payment/complete", "/payment/complete/credit", "/payment/error"];

test.each(paths)("%s shows another account's order as not found", async (path) => {
  const { screen } = await open(`${path}?order=${ORDER}`, {});
  await expect.element(screen.getByText("not found")).toBeVisible();
});

test.each(paths)("%s without an order leads on", async (path) => {
  const { screen, calls } = await open(`${path}?order=1`, {});
  await expect
    .element(screen.getByRole("link", { name: "ご注文履歴を見る" }))
    .toHaveAttribute("href", "/mypage/history");
  await expect.element(screen.getByRole("heading", { level: 1 })).toBeVisible();
  expect(calls).toEqual([]);
});

test("a failed payment shows that nothing was charged twice, and links to the same cart", async () => {
  const { screen } = await open(`/payment/error?order=${ORDER}`, {
    [CHECK]: () => orderOf(),
    [FIND]: () => orderOf(),
  });
  await expect
    .element(screen.getByRole("heading", { name: "お支払いが完了していません" }))
    .toBeVisible();
  await expect.element(screen.getByText(/二重に請求されることはありません/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "カートにもどる" }))
    .toHaveAttribute("href", "/cart");
  expect(await faults(screen.container)).toEqual([]);
});

test("an order covered by coupons is complete without a payment", async () => {
  const { screen } = await open(COMPLETE, {
    [CHECK]: () =>
      paidOrder({
        discount: 16_500,
        coupons: [{ id: 9, name: "全額クーポン", amount: 16_500 }],
        total: 0,
        tax: 0,
        payment: { method: "coupon" },
      }),
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect
    .element(screen.getByRole("heading", { level: 1 }))
    .toHaveTextContent("ご注文が完了しました");
  await expect
    .element(screen.getByRole("region", { name: "ご注文の内容" }))
    .toMatchTextContent(/クーポン「全額クーポン」−16,500円合計（税込）0円/);
  await expect.element(screen.getByText(/お支払いが完了しました/)).not.toBeInTheDocument();
  expect(await faults(screen.container)).toEqual([]);
});
