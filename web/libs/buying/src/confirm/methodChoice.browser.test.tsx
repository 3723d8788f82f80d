import { emptyBrowser } from "@konomana/cart/testing";
import { type ApiCall, problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { Confirmation } from "../api";
import { openCart } from "../cartScreensTesting";
import { faults, ORDER, orderOf, SUBSCRIPTION } from "../orderTesting";
import {
  address,
  button,
  CONFIRMATION,
  confirmationOf,
  PLACE,
  placing,
} from "./confirmationTesting";

beforeEach(emptyBrowser);

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
    kind: "subscription" as const,
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
