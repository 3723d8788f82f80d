import { inventoryOf } from "@konomana/testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { bankOrder, faults, konbini, konbiniOrder, open, ORDER, orderOf } from "../orderTesting";
import type { Order } from "../api";

const CHECK = "POST commerce/order/{id}/check/";
const FIND = "GET commerce/order/{id}/";
const CANCEL = "POST commerce/order/{id}/cancel/";
const PAY = `/payment?order=${ORDER}`;
const BANK = `/payment/complete/bank?order=${ORDER}`;

/** Fake timers: a test triggers the polling of an order by advancing the time. */
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] }));
afterEach(() => void vi.useRealTimers());

const always = (order: () => Order) => ({ [CHECK]: order, [FIND]: order });
const lead = page.getByRole("main").getByRole("status").first();

test("a convenience store shows the codes and steps of each chain, the amount and the deadline", async () => {
  const { screen } = await open(
    PAY,
    always(() => konbiniOrder()),
  );
  await expect.element(lead).toMatchTextContent(/16,500円（税込）.*2026年11月28日\(土\)です/);
  for (const [index, chain] of [
    "ファミリーマート",
    "ローソン",
    "ミニストップ",
    "セイコーマート",
  ].entries()) {
    const { payment_code = "", confirmation_number = "" } = konbini.stores[index] ?? {};
    await screen.getByRole("tab", { name: chain }).click();
    const panel = screen.getByRole("tabpanel", { name: chain });
    await expect.element(panel.getByText(payment_code, { exact: true })).toBeVisible();
    await expect.element(panel.getByText(confirmation_number, { exact: true })).toBeVisible();
    expect(panel.getByRole("listitem").elements().length).toBeGreaterThan(2);
  }
  expect(await faults(screen.container)).toEqual([]);
});

test("a chain without a confirmation number asks for the payment code only", async () => {
  const stores = konbini.stores.map((store, index) =>
    index === 0 ? { ...store, confirmation_number: "" } : store,
  );
  const { screen } = await open(
    PAY,
    always(() => konbiniOrder({ payment: { konbini: { ...konbini, stores } } })),
  );
  const first = screen.getByRole("tabpanel", { name: "ファミリーマート" });
  await expect.element(first).toMatchTextContent("「支払いコード」を、上のとおりに入力します。");
  await expect.element(first).not.toMatchTextContent("確認番号");
  expect(first.getByRole("button").elements()).toHaveLength(1);
  await screen.getByRole("tab", { name: "ローソン" }).click();
  await expect
    .element(screen.getByRole("tabpanel", { name: "ローソン" }))
    .toMatchTextContent("「支払いコード」と「確認番号」を、上のとおりに入力します。");
});

test("the chains are chosen by keyboard", async () => {
  const { screen } = await open(
    PAY,
    always(() => konbiniOrder()),
  );
  await screen.getByRole("tab", { name: "ファミリーマート" }).click();
  await userEvent.keyboard("{ArrowRight}");
  await expect.element(screen.getByRole("tab", { name: "ローソン" })).toHaveFocus();
  await expect
    .element(screen.getByRole("tabpanel", { name: "ローソン" }))
    .toMatchTextContent(konbini.stores[1]?.payment_code ?? "");
});

test("a code is copied, or a message explains how to copy it by hand", async () => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { screen } = await open(
    PAY,
    always(() => konbiniOrder()),
  );
  const button = screen.getByRole("button", { name: /^支払いコードを\s*コピー$/ });
  await button.click();
  expect(copied).toHaveBeenCalledWith(konbini.stores[0]?.payment_code);
  await expect.element(screen.getByText("コピーしました")).toBeVisible();
  copied.mockRejectedValue(new DOMException("no"));
  await screen.getByRole("button", { name: /^確認番号を\s*コピー$/ }).click();
  await expect.element(screen.getByText(/コピーできませんでした/)).toBeVisible();
  copied.mockRestore();
});

test("print shows every chain", async () => {
  const print = vi.spyOn(globalThis, "print").mockReturnValue();
  const { screen } = await open(
    PAY,
    always(() => konbiniOrder()),
  );
  await screen.getByRole("button", { name: "印刷する" }).click();
  expect(print).toHaveBeenCalledOnce();
  print.mockRestore();
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const forPrint = rules.filter((rule) => rule.cssText.startsWith("@media print")).join("");
  expect(forPrint).not.toBe("");
  for (const chain of ["ファミリーマート", "ローソン", "ミニストップ", "セイコーマート"])
    expect(
      screen.getByRole("heading", { name: chain, includeHidden: true }).elements(),
    ).toHaveLength(1);
});

test("a bank transfer shows the buyer's account, the amount, the deadline, and what happens otherwise", async () => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { screen } = await open(
    PAY,
    always(() => bankOrder()),
  );
  await expect.element(lead).toMatchTextContent(/16,500円（税込）.*2026年12月2日\(水\)です/);
  const account = screen.getByRole("region", { name: "振込先" });
  for (const text of ["こだま銀行（0998）", "みどり支店（117）", "普通", "1234567", "カ）コノマナ"])
    await expect.element(account.getByText(text, { exact: true })).toBeVisible();
  await account.getByRole("button", { name: /^口座番号を\s*コピー$/ }).click();
  await account.getByRole("button", { name: /^振り込む金額を\s*コピー$/ }).click();
  expect(copied.mock.calls).toEqual([["1234567"], ["16500"]]);
  copied.mockRestore();
  await expect.element(account.getByText("振込の名義がちがうとき")).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});

const arrived = (amount: number, rest: object = {}) => ({
  amount,
  received_at: "2026-11-26T01:00:00Z",
  sender_name: "キノシタ アオイ",
  is_other_name: false,
  is_returned: false,
  ...rest,
});

test("a partial transfer shows the remaining amount, and the page updates by itself", async () => {
  let order = bankOrder();
  const { screen } = await open(PAY, {
    ...always(() => order),
    "GET lms/inventory/": () => inventoryOf(),
  });
  await expect.element(screen.getByRole("heading", { name: "お支払い", level: 1 })).toBeVisible();
  order = bankOrder(
    { payment: { state: "part_funded" } },
    {
      amount_received: 10_000,
      amount_remaining: 6500,
      transfers: [arrived(10_000, { is_other_name: true, sender_name: "キノシタ メグミ" })],
    },
  );
  vi.advanceTimersByTime(1000);
  await expect
    .element(screen.getByRole("heading", { name: "残りのお支払いをお待ちしています" }))
    .toBeVisible();
  await expect.element(lead).toMatchTextContent("10,000円を受け取りました。残りは6,500円です。");
  const transfers = screen.getByRole("region", { name: "届いた振込" });
  await expect.element(transfers).toMatchTextContent(/キノシタ メグミ.*名義がちがいますが/);
  await expect
    .element(screen.getByRole("region", { name: "振込先" }))
    .toMatchTextContent(/残りの6,500円を振り込んでください/);
  expect(screen.getByRole("button", { name: "別の方法で支払う" }).elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
  order = bankOrder(
    { state: "fulfilled", paid_at: "2026-11-27T01:00:00Z", payment: { state: "succeeded" } },
    { amount_received: 16_500, amount_remaining: 0, transfers: [arrived(10_000), arrived(6500)] },
  );
  vi.advanceTimersByTime(1500);
  await expect
    .element(screen.getByRole("heading", { name: "お支払いが完了しました" }))
    .toBeVisible();
});

test("a complete transfer that is not booked yet asks for no further transfer", async () => {
  const { screen } = await open(
    PAY,
    always(() =>
      bankOrder(
        { payment: { state: "part_funded" } },
        { amount_received: 16_500, amount_remaining: 0, transfers: [arrived(16_500)] },
      ),
    ),
  );
  await expect.element(screen.getByText(/もう一度振り込む必要はありません/)).toBeVisible();
  expect(screen.getByText(/0円を振り込んでください/).elements()).toEqual([]);
});

test("a late payment is refunded, and no payment is requested any more", async () => {
  const { screen } = await open(
    BANK,
    always(() =>
      bankOrder(
        { state: "expired", ended_at: "2026-12-02T15:00:00Z", payment: { state: "expired" } },
        { transfers: [arrived(16_500, { is_returned: true })] },
      ),
    ),
  );
  await expect.element(lead).toMatchTextContent(/届いたお支払いは、全額お返しします/);
  await expect.element(screen.getByText("お返しします", { exact: true })).toBeVisible();
  await screen.getByText("お支払いのご案内（控え）").click();
  await expect.element(screen.getByText(/お支払いにならないでください/)).toBeVisible();
});

test.each([
  ["bank transfer", () => bankOrder(), /口座に振り込みます/],
  ["convenience store", () => konbiniOrder(), /コンビニで支払います/],
])("the completion of an order by %s shows the next step", async (_, order, step) => {
  const { screen } = await open(BANK, always(order));
  await expect
    .element(screen.getByRole("heading", { name: "ご注文を受け付けました" }))
    .toBeVisible();
  await expect
    .element(screen.getByRole("region", { name: "これからの流れ" }))
    .toMatchTextContent(step);
  expect(await faults(screen.container)).toEqual([]);
});

test("to change the method, the order is cancelled after a confirmation and the same cart is confirmed again", async () => {
  const { screen, calls } = await open(PAY, {
    ...always(() => konbiniOrder()),
    [CANCEL]: () => konbiniOrder({ state: "cancelled", ended_at: "2026-11-25T01:10:00Z" }),
  });
  await screen.getByRole("button", { name: "別の方法で支払う" }).click();
  const dialog = screen.getByRole("dialog");
  await expect.element(dialog).toMatchTextContent(/支払いコードは、使えなくなります/);
  expect(calls).not.toContain(CANCEL);
  await dialog.getByRole("button", { name: "方法を選びなおす" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("/cart/confirm");
});

test("when the order was paid before the method is changed, the payment is shown", async () => {
  const paid = konbiniOrder({
    state: "paid",
    paid_at: "2026-11-25T01:10:00Z",
    payment: { state: "succeeded" },
  });
  const { screen } = await open(PAY, { ...always(() => konbiniOrder()), [CANCEL]: () => paid });
  await screen.getByRole("button", { name: "別の方法で支払う" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "方法を選びなおす" }).click();
  await expect
    .element(screen.getByRole("heading", { name: "お支払いが完了しました" }))
    .toBeVisible();
});

test("cancelling a partly paid order shows that the money is refunded", async () => {
  const { screen } = await open(
    PAY,
    always(() =>
      bankOrder(
        { payment: { state: "part_funded" } },
        { amount_received: 10_000, amount_remaining: 6500, transfers: [arrived(10_000)] },
      ),
    ),
  );
  await screen.getByRole("button", { name: "注文を取り消す" }).click();
  await expect
    .element(screen.getByRole("dialog"))
    .toMatchTextContent(/受け取った10,000円は、全額お返しします/);
});

test.each([
  ["konbini", () => konbiniOrder()],
  ["bank_transfer", () => bankOrder()],
])(
  "a failed page of an order by %s leads to its instructions and to the cart",
  async (_, order) => {
    const { screen } = await open(`/payment/error?order=${ORDER}`, always(order));
    await expect.element(screen.getByText(/二重に請求されることはありません/)).toBeVisible();
    await expect
      .element(screen.getByRole("link", { name: "お支払い方法を見る" }))
      .toHaveAttribute("href", PAY);
    await expect
      .element(screen.getByRole("link", { name: "カートにもどる" }))
      .toHaveAttribute("href", "/cart");
    expect(await faults(screen.container)).toEqual([]);
  },
);

test("missing codes of the provider show a message and can be requested again", async () => {
  const failed = konbiniOrder({
    payment: {
      state: "failed",
      konbini: null,
      decline_code: "payment_intent_konbini_rejected_confirmation_number",
    },
  });
  const { screen } = await open(
    PAY,
    always(() => failed),
  );
  const alert = screen.getByRole("main").getByRole("alert");
  await expect.element(alert).toMatchTextContent(/このお支払い方法を受け付けませんでした/);
  await expect.element(alert).not.toMatchTextContent(/カード/);
  await expect.element(screen.getByRole("button", { name: "もう一度支払う" })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "別の方法で支払う" })).toBeVisible();
});

test("the instructions stay visible without a network", async () => {
  let isDown = false;
  const order = () => {
    if (isDown) throw new TypeError("Failed to fetch");
    return bankOrder();
  };
  const { screen } = await open(PAY, { [CHECK]: order, [FIND]: order });
  await expect.element(screen.getByText("1234567", { exact: true })).toBeVisible();
  isDown = true;
  vi.advanceTimersByTime(1000);
  await expect.element(screen.getByText("インターネットにつながっていません")).toBeVisible();
  await expect.element(screen.getByText("1234567", { exact: true })).toBeVisible();
});

test("a declined saved card is shown, and the order can be paid another way", async () => {
  const declined = orderOf({
    payment: { method: "saved_card", state: "failed", decline_code: "insufficient_funds" },
  });
  const { screen } = await open(
    `/payment/error?order=${ORDER}`,
    always(() => declined),
  );
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/ご利用可能額が足りません/);
  await expect.element(screen.getByRole("button", { name: "別の方法で支払う" })).toBeVisible();
});
