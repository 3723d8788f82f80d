import { cartOf, emptyBrowser } from "@konomana/cart/testing";
import { type ApiCall, learner, problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Confirmation } from "../api";
import { openCart } from "../cartScreensTesting";
import { faults, ORDER, orderOf, SUBSCRIPTION } from "../orderTesting";

const CONFIRMATION = "GET commerce/confirmation/";
const PLACE = "POST commerce/order/";
const CART = "GET commerce/cart/";

function confirmationOf(
  price = 16_500,
  digest = "a".repeat(64),
  method: Confirmation["method"] = "card",
): Confirmation {
  return {
    digest,
    method,
    methods: ["card", "saved_card", "konbini", "bank_transfer"],
    document: {
      version: 2,
      method: "card",
      lines: [
        {
          product_id: 1105,
          course_id: 105,
          kind: "course",
          name: "中3数学 二次方程式と関数",
          period_days: 365,
          price,
          discount: 0,
          learner_id: learner.id,
          learner_name: "木下 葵",
        },
      ],
      subtotal: price,
      discount: 0,
      coupons: [],
      total: price,
      tax: Math.floor((price * 10) / 110),
      tax_rate: 10,
      terms: [
        { title: "分量", text: "オンライン講座 1点（各1点）。" },
        {
          title: "支払方法",
          text: "クレジットカード。決済代行会社のページでお支払いいただきます。",
        },
        { title: "支払時期", text: "注文の確定から1時間以内にお支払いください。" },
        { title: "提供時期", text: "お支払いの完了後すぐに（通常5秒以内）。" },
        { title: "申込みの撤回・解約", text: "お支払いの完了までは、注文を取り消せます。" },
      ],
    },
  };
}

const open_order = {
  id: ORDER,
  number: "KM-261125-7Q4F2",
  total: 16_500,
  due_at: "2026-11-25T02:00:00Z",
};

const button = page.getByRole("button", { name: "注文を確定する" });
const address = page.getByLabelText("address");

/** Answers calls that place an order, and records their keys and digests. */
function placing(answer: () => unknown) {
  const sent: { key: string | null; confirmation: unknown; method: unknown }[] = [];
  const place = ({ headers, body }: { headers: Headers; body: unknown }) => {
    const { confirmation, method } = body as { confirmation: string; method: string };
    sent.push({ key: headers.get("idempotency-key"), confirmation, method });
    return answer();
  };
  return { sent, place };
}

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

test("the order opens the provider's page and is placed once, however often the button is pressed", async () => {
  const page_url = `${location.href.split("#")[0]}#provider`;
  const { promise, resolve } = Promise.withResolvers<unknown>();
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
  expect(sent[0]).toMatchObject({ confirmation: "a".repeat(64), method: "card" });
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

/** The confirmation for the method in the query. */
const byMethod = ({ query }: ApiCall) => {
  const method = (query.get("method") ?? "card") as Confirmation["method"];
  const digest = { card: "a", saved_card: "b", konbini: "c", bank_transfer: "d", coupon: "e" }[
    method
  ];
  const { document, ...rest } = confirmationOf(16_500, digest.repeat(64), method);
  const terms = document.terms.map((term) =>
    term.title === "支払方法" ? { ...term, text: `この方法：${method}` } : term,
  );
  return { ...rest, document: { ...document, terms } };
};

const card = {
  brand: "visa",
  last4: "4242",
  exp_month: 12,
  exp_year: 2034,
  is_expired: false,
  is_needed: false,
};

const topOfButton = () => button.element().getBoundingClientRect().top;

const choice = (name: string | RegExp) => page.getByRole("radio", { name });

test("the method is chosen by keyboard and stays in the address, and the terms follow without a layout shift", async () => {
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: byMethod,
    "GET commerce/card/": () => ({ card }),
  });
  const first = choice("クレジットカード");
  await expect.element(first).toBeChecked();
  await expect.element(choice("登録済みのカード：Visa（末尾 4242）")).toBeVisible();
  const before = topOfButton();
  (first.element() as HTMLElement).focus();
  await userEvent.keyboard("{ArrowDown}{ArrowDown}");
  await expect.element(choice("コンビニ払い")).toBeChecked();
  await expect.element(choice("コンビニ払い")).toHaveFocus();
  await expect.element(address).toHaveTextContent("/cart/confirm?method=konbini");
  await expect.element(screen.getByText("この方法：konbini")).toBeVisible();
  await expect.element(screen.getByText(/コンビニで使う支払いコードを表示します/)).toBeVisible();
  expect(Math.abs(topOfButton() - before)).toBeLessThan(2);
  expect(await faults(screen.container)).toEqual([]);
});

test("an order is not possible while the terms of the chosen method are loading", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { sent, place } = placing(() => orderOf({ payment: { method: "bank_transfer" } }));
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: async (call) => {
      if (call.query.get("method") !== null) await promise;
      return byMethod(call);
    },
    [PLACE]: place,
  });
  await choice("銀行振込").click();
  const waiting = page.getByRole("button", { name: "内容を読み込んでいます…" });
  await expect.element(waiting).toHaveAttribute("aria-disabled", "true");
  await expect.element(choice("銀行振込")).toBeChecked();
  await expect.element(screen.getByText("中3数学 二次方程式と関数")).toBeVisible();
  await waiting.click({ force: true });
  resolve();
  await button.click();
  await expect.element(address).toHaveTextContent(`/payment?order=${ORDER}`);
  expect(sent).toMatchObject([{ confirmation: "d".repeat(64), method: "bank_transfer" }]);
});

test("an address with a method opens with that method", async () => {
  await openCart("/cart/confirm?method=bank_transfer", { [CONFIRMATION]: byMethod });
  await expect.element(choice("銀行振込")).toBeChecked();
  await expect.element(page.getByText("この方法：bank_transfer")).toBeVisible();
});

test("a method that this cart does not allow is replaced by one that it does", async () => {
  const { screen } = await openCart("/cart/confirm?method=konbini", {
    [CONFIRMATION]: (call) =>
      call.query.get("method") === "konbini"
        ? problem(400, "INVALID", { errors: [{ field: "method", code: "UNKNOWN_CHOICE" }] })
        : byMethod(call),
  });
  await expect.element(choice("クレジットカード")).toBeChecked();
  await expect.element(address).toHaveTextContent("/cart/confirm");
  await expect
    .element(screen.getByText(/このお支払い方法は、いまのカートでは使えません。/))
    .toBeVisible();
});

test("the choice stays when the network fails, and the terms can be loaded again", async () => {
  let isDown = false;
  await openCart("/cart/confirm", {
    [CONFIRMATION]: (call) => {
      if (isDown) throw new TypeError("Failed to fetch");
      return byMethod(call);
    },
  });
  await expect.element(button).toBeVisible();
  isDown = true;
  await choice("コンビニ払い").click();
  const again = page.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  await expect.element(choice("コンビニ払い")).toBeChecked();
  expect(button.elements()).toEqual([]);
  isDown = false;
  await again.click();
  await expect.element(page.getByText("この方法：konbini")).toBeVisible();
  await expect.element(button).toBeVisible();
});

test.each([
  ["fulfilled", null, `/payment/complete?order=${ORDER}`],
  ["fulfilled", SUBSCRIPTION, `/payment/complete/subscribe?order=${ORDER}`],
  ["awaiting_payment", null, `/payment/error?order=${ORDER}`],
] as const)(
  "a saved card pays at once: %s of subscription %s leads to %s",
  async (state, subscription_id, to) => {
    await openCart("/cart/confirm?method=saved_card", {
      [CONFIRMATION]: byMethod,
      [PLACE]: () =>
        orderOf({
          state,
          subscription_id,
          payment: {
            method: "saved_card",
            state: state === "fulfilled" ? "succeeded" : "failed",
          },
        }),
    });
    await button.click();
    await expect.element(address).toHaveTextContent(to);
  },
);

test("a cart with a monthly service is paid by card and shows so", async () => {
  const { document, ...rest } = confirmationOf(2980);
  const lines = document.lines.map((line) => ({
    ...line,
    kind: "subscription",
    name: "月額 質問し放題",
    period_days: null,
  }));
  const { screen } = await openCart("/cart/confirm", {
    [CONFIRMATION]: () => ({ ...rest, methods: ["card"], document: { ...document, lines } }),
  });
  await expect.element(screen.getByText(/1か月ごとに自動更新・1点$/)).toBeVisible();
  await expect.element(screen.getByText("月2,980円", { exact: true })).toBeVisible();
  await expect
    .element(screen.getByText(/クレジットカードだけでお支払いいただけます/))
    .toBeVisible();
  expect(screen.getByRole("radio").elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
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
