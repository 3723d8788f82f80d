import { cartOf, emptyBrowser } from "@konomana/cart/testing";
import { problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import type { Confirmation } from "../api";
import { openCart } from "../cartScreensTesting";
import { faults, ORDER, orderOf } from "../orderTesting";
import {
  address,
  button,
  CONFIRMATION,
  confirmationOf,
  PLACE,
  placing,
} from "./confirmationTesting";

const CART = "GET commerce/cart/";

const open_order = {
  id: ORDER,
  number: "KM-261125-7Q4F2",
  total: 16_500,
  due_at: "2026-11-25T02:00:00Z",
};

const contractOf = (price: number, digest: string): Confirmation => {
  const confirmation = confirmationOf(price, digest);
  const contract = [
    { title: "この書面について", text: "内容をよくお読みください。" },
    { title: "クーリング・オフ", text: "8日間は、理由を問わず契約を解除できます。" },
    { title: "特約", text: "ありません。" },
  ];
  return { ...confirmation, document: { ...confirmation.document, contract } };
};

beforeEach(emptyBrowser);

test("all terms are shown before the button is pressed", async () => {
  const { screen } = await openCart("/cart/confirm", { [CONFIRMATION]: () => confirmationOf() });
  await expect.element(screen.getByText("中3数学 二次方程式と関数")).toBeVisible();
  await expect.element(screen.getByText(/木下 葵さん・利用期間 365日間・1点$/)).toBeVisible();
  await expect.element(screen.getByText("内消費税（10%）1,500円")).toBeVisible();
  for (const { title, text } of confirmationOf().document.terms) {
    await expect.element(screen.getByRole("term").filter({ hasText: title })).toBeVisible();
    await expect.element(screen.getByText(text, { exact: true })).toBeVisible();
  }
  expect(await faults(screen.container)).toEqual([]);
});

test("a contract is placed only after its document is accepted, and again after it changed", async () => {
  let shown = contractOf(66_000, "a".repeat(64));
  const { sent, place } = placing(() =>
    sent.length === 1
      ? problem(409, "CONFIRMATION_CHANGED")
      : orderOf({ payment: { state: "unknown" } }),
  );
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => shown,
    [PLACE]: place,
  });
  const contract = screen.getByRole("region", { name: /概要書面/ });
  await expect.element(contract).toMatchTextContent(/よくお読みください.*8日間は.*特約/);
  const consent = screen.getByRole("checkbox", { name: /紙に代えて/ });
  await button.click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent("概要書面をお読みのうえ、承諾にしるしを付けてください。");
  expect(sent).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);

  await consent.click();
  shown = contractOf(77_000, "b".repeat(64));
  await button.click();
  await expect.element(screen.getByText(/注文は、まだ確定していません/)).toBeVisible();
  await expect.element(consent).not.toBeChecked();
  await button.click();
  expect(sent).toHaveLength(1);
  await consent.click();
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
  expect(sent).toMatchObject([
    { confirmation: "a".repeat(64), accepts_contract: true },
    { confirmation: "b".repeat(64), accepts_contract: true },
  ]);
});

test("the order opens the provider's page and is placed once, however often the button is pressed", async () => {
  const page_url = `${location.href.split("#")[0]}#provider`;
  const { promise, resolve } = Promise.withResolvers<ReturnType<typeof orderOf>>();
  const { sent, place } = placing(() => promise);
  await openCart("/cart/confirm", { [CONFIRMATION]: () => confirmationOf(), [PLACE]: place });
  await button.click();
  const busy = page.getByRole("button", { name: "注文しています…" });
  await expect.element(busy).toHaveAttribute("aria-disabled", "true");
  await busy.click({ force: true });
  resolve(orderOf({ payment: { page_url } }));
  await expect.poll(() => location.hash).toBe("#provider");
  history.back();
  expect(sent).toHaveLength(1);
  expect(sent[0]).toEqual({
    key: expect.any(String),
    confirmation: "a".repeat(64),
    method: "card",
  });
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(button).toBeVisible();
});

test("when the provider has not answered, the payment screen shows the known state", async () => {
  await openCart("/cart/confirm", {
    [CONFIRMATION]: () => confirmationOf(),
    [PLACE]: () => orderOf({ payment: { state: "unknown" } }),
  });
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
});

test("after a lost response the order is sent again with the same key, also after a reload", async () => {
  let lost = true;
  const { sent, place } = placing(() => {
    if (lost) throw new TypeError("Failed to fetch");
    return orderOf({ payment: { state: "unknown" } });
  });
  const answers = { [CONFIRMATION]: () => confirmationOf(), [PLACE]: place };
  const { screen } = await openCart("/cart/confirm", answers);
  await button.click();
  await expect.element(screen.getByText(/二重に注文されることはありません/)).toBeVisible();
  await button.click();
  await expect.poll(() => sent).toHaveLength(2);
  await screen.unmount();

  lost = false;
  await openCart("/cart/confirm", answers);
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
  expect(new Set(sent.map(({ key }) => key)).size).toBe(1);
  expect(sent[0]?.key).toMatch(/^[\w-]{8,64}$/);
});

test("after a lost response of an order that has ended, a new order is placed", async () => {
  let lost = true;
  let placed = 0;
  const { sent, place } = placing(() => {
    if (lost) throw new TypeError("Failed to fetch");
    placed += 1;
    return placed === 1
      ? orderOf({ state: "expired", ended_at: "2026-11-25T02:00:00Z" })
      : orderOf({ payment: { state: "unknown" } });
  });
  await openCart("/cart/confirm", { [CONFIRMATION]: () => confirmationOf(), [PLACE]: place });
  await button.click();
  await expect.element(page.getByText(/二重に注文されることはありません/)).toBeVisible();
  lost = false;
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
  expect(sent).toHaveLength(3);
  expect(sent[1]?.key).toBe(sent[0]?.key);
  expect(sent[2]?.key).not.toBe(sent[0]?.key);
});

test("a changed price is shown with the old one, and the order needs another press", async () => {
  let price = 16_500;
  const newer = "b".repeat(64);
  const { sent, place } = placing(() =>
    sent.length === 1 ? problem(409, "CONFIRMATION_CHANGED") : orderOf(),
  );
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => (price === 16_500 ? confirmationOf() : confirmationOf(price, newer)),
    [PLACE]: place,
  });
  await expect.element(button).toBeVisible();
  price = 17_600;
  await button.click();
  const alert = screen.getByRole("alert").filter({ hasText: "価格または在庫が変更されました" });
  await expect.element(alert).toMatchTextContent(/変更前：16,500円・365日間.*変更後：17,600円/);
  await expect.element(alert).toMatchTextContent(/合計.*変更前：16,500円.*変更後：17,600円/);
  await expect.element(screen.getByText("内消費税（10%）1,600円")).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
  expect(sent).toHaveLength(1);
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
  expect(sent[1]?.confirmation).toBe(newer);
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

test("an open order must be settled first, and a link to it is shown", async () => {
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => confirmationOf(),
    [PLACE]: () => problem(409, "ORDER_OPEN"),
    [CART]: () => cartOf([], { open_order }),
  });
  await button.click();
  await expect
    .element(screen.getByRole("link", { name: "支払いを続ける" }))
    .toHaveAttribute("href", `/payment?order=${ORDER}`);
});

test("when everything is ordered already, the open order replaces the confirmation", async () => {
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => problem(409, "CART_EMPTY"),
    [CART]: () => cartOf([], { open_order }),
  });
  await expect.element(screen.getByRole("link", { name: "支払いを続ける" })).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "カートに戻る" }))
    .toHaveAttribute("href", "/cart");
  await expect.element(button).not.toBeInTheDocument();
});

test("a confirmation that fails to load can be loaded again", async () => {
  let down = true;
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => (down ? problem(500, "INTERNAL") : confirmationOf()),
  });
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  down = false;
  await again.click();
  await expect.element(button).toBeVisible();
});

/** The same confirmation with a discount of 15 %. */
function withCoupon(digest = "a".repeat(64)): Confirmation {
  const { document, ...rest } = confirmationOf(16_500, digest);
  return {
    ...rest,
    document: {
      ...document,
      lines: document.lines.map((line) => ({ ...line, discount: 2475 })),
      discount: 2475,
      coupons: [{ id: 2, name: "冬の講習応援", amount: 2475 }],
      total: 14_025,
      tax: 1275,
    },
  };
}

test("the confirmation shows the subtotal, each coupon, the discount of each line and the total", async () => {
  const { screen } = await openCart("/cart/confirm", { [CONFIRMATION]: () => withCoupon() });
  const contents = screen.getByRole("region", { name: "ご注文の内容" });
  await expect
    .element(contents)
    .toMatchTextContent(
      /16,500円割引 −2,475円小計16,500円クーポン「冬の講習応援」−2,475円お支払いの合計 14,025円（税込）内消費税（10%）1,275円/,
    );
  await expect
    .element(contents.getByRole("link", { name: "クーポンを変える" }))
    .toHaveAttribute("href", "/cart/coupon");
  expect(await faults(screen.container)).toEqual([]);
});

test("a coupon that was used up meanwhile is shown as a change", async () => {
  let isLost = false;
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => (isLost ? confirmationOf(16_500, "b".repeat(64)) : withCoupon()),
    [PLACE]: () => {
      isLost = true;
      return problem(409, "CONFIRMATION_CHANGED");
    },
  });
  await button.click();
  const alert = screen.getByRole("alert").filter({ hasText: "内容をご確認ください" });
  await expect
    .element(alert)
    .toMatchTextContent(/クーポン「冬の講習応援」変更前：−2,475円変更後：使えなくなりました/);
  await expect.element(alert).toMatchTextContent(/合計変更前：14,025円変更後：16,500円/);
  expect(await faults(screen.container)).toEqual([]);
});

test("an order fully covered by coupons is placed without the provider and opens its completion", async () => {
  const { document } = withCoupon();
  const free: Confirmation = {
    digest: "a".repeat(64),
    method: "coupon",
    methods: ["coupon"],
    document: {
      ...document,
      method: "coupon",
      discount: 16_500,
      coupons: [{ id: 9, name: "全額クーポン", amount: 16_500 }],
      total: 0,
      tax: 0,
    },
  };
  const bodies: unknown[] = [];
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => free,
    [PLACE]: ({ body }) => {
      bodies.push(body);
      return orderOf({
        state: "paid",
        total: 0,
        tax: 0,
        paid_at: "2026-11-25T01:00:00Z",
        payment: { method: "coupon", state: "succeeded" },
      });
    },
  });
  await expect.element(screen.getByText(/お支払いの合計 0円（税込）/)).toBeVisible();
  await expect.element(screen.getByText(/^お支払いはありません。注文を確定すると/)).toBeVisible();
  await expect.element(screen.getByText(/カードの情報を入力する/)).not.toBeInTheDocument();
  expect(await faults(screen.container)).toEqual([]);
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment/complete?order=${ORDER}`);
  expect(bodies).toEqual([{ confirmation: free.digest, method: "coupon" }]);
});
