/** Test support for payments and orders: an order, and the screens with a stub server. */
import { answerFrom, type Answers, learner, stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import { toRoute } from "@konomana/screens";
import { sessionStore, type User } from "@konomana/session";
import { Alerts, alertStore } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, Outlet, RouterProvider, useLocation } from "react-router";
import { onTestFinished } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import type { BankTransfer, Konbini, Order, Payment, Receipt, Refund, Subscription } from "./api";
import { screens } from "./buyingScreens";

export const ORDER = "01936f2a-4c00-7a31-8b52-1f6d0c9e4a01";
export const REFUND = "01936f2a-4c00-7a31-8b52-1f6d0c9e4b02";

interface Given extends Partial<Omit<Order, "payment">> {
  payment?: Partial<Payment>;
}

/** An unpaid order. `given` overrides its fields. */
export function orderOf({ payment, ...given }: Given = {}): Order {
  return {
    id: ORDER,
    number: "KM-261125-7Q4F2",
    state: "awaiting_payment",
    lines: [
      {
        n: 1,
        refunded: 0,
        product_id: 1105,
        course_id: 105,
        exam_id: null,
        kind: "course",
        name: "中3数学 二次方程式と関数",
        price: 16_500,
        period_days: 365,
        discount: 0,
        learner: { id: learner.id, name: "木下 葵" },
      },
    ],
    discount: 0,
    coupons: [],
    total: 16_500,
    tax: 1500,
    placed_at: "2026-11-25T01:00:00Z",
    due_at: "2026-11-25T02:00:00Z",
    paid_at: null,
    ended_at: null,
    payment: {
      method: "card",
      state: "requires_action",
      page_url: null,
      decline_code: null,
      konbini: null,
      bank_transfer: null,
      ...payment,
    },
    refunds: [],
    subscription_id: null,
    confirmation: {
      digest: "0".repeat(64),
      document: {
        version: 1,
        method: "card",
        lines: [],
        subtotal: null,
        discount: 0,
        coupons: [],
        total: 16_500,
        tax: 1500,
        tax_rate: 10,
        terms: [
          { title: "支払方法", text: "クレジットカード" },
          {
            title: "申込みの撤回・解約",
            text: "提供の開始後は、お客さまの都合による返品はできません。",
          },
        ],
      },
    },
    ...given,
  };
}

/** A line for an exam seat. */
export const seatLine: Order["lines"][number] = {
  n: 1,
  refunded: 0,
  product_id: 2301,
  course_id: null,
  exam_id: 2,
  kind: "exam_seat",
  name: "コノ模試 第2回",
  price: 4400,
  period_days: null,
  discount: 0,
  learner: { id: learner.id, name: "木下 葵" },
};

/** A paid order. */
export const paidOrder = (given: Given = {}): Order =>
  orderOf({
    state: "fulfilled",
    paid_at: "2026-11-25T01:05:00Z",
    ...given,
    payment: { state: "succeeded", ...given.payment },
  });

/** A pending refund of a payment that arrived after its order had ended. */
export const refundOf = (given: Partial<Refund> = {}): Refund => ({
  id: REFUND,
  amount: 16_500,
  state: "pending",
  reason: "late",
  has_invoice: false,
  can_retry: false,
  is_replaced: false,
  requested_at: "2026-11-25T02:01:00Z",
  ...given,
});

/** The payment codes of a convenience store. */
export const konbini: Konbini = {
  expires_at: "2026-11-28T15:00:00Z",
  stores: (["familymart", "lawson", "ministop", "seicomart"] as const).map((store, index) => ({
    store,
    payment_code: `12345678901${index}`,
    confirmation_number: `0901234567${index}`,
  })),
};

/** An order paid at a convenience store. */
export const konbiniOrder = (given: Given = {}): Order =>
  orderOf({
    due_at: "2026-11-28T15:00:00Z",
    ...given,
    payment: { method: "konbini", konbini, ...given.payment },
  });

/** A buyer's virtual account without any transfer. */
export function transferOf(given: Partial<BankTransfer> = {}): BankTransfer {
  return {
    bank_name: "こだま銀行",
    bank_code: "0998",
    branch_name: "みどり支店",
    branch_code: "117",
    account_type: "futsu",
    account_number: "1234567",
    account_holder: "カ）コノマナ",
    amount_received: 0,
    amount_remaining: 16_500,
    transfers: [],
    ...given,
  };
}

/** An order paid by bank transfer. */
export const bankOrder = (given: Given = {}, transfer: Partial<BankTransfer> = {}): Order =>
  orderOf({
    due_at: "2026-12-02T15:00:00Z",
    ...given,
    payment: { method: "bank_transfer", bank_transfer: transferOf(transfer), ...given.payment },
  });

export const SUBSCRIPTION = "01936f2a-4c00-7a31-8b52-1f6d0c9e5b01";

/** An active, paid subscription. */
export function subscriptionOf(given: Partial<Subscription> = {}): Subscription {
  return {
    id: SUBSCRIPTION,
    product_id: 3001,
    name: "月額 質問し放題",
    price: 2980,
    state: "active",
    started_at: "2026-11-25T01:05:00Z",
    current_period_start: "2026-11-24T15:00:00Z",
    current_period_end: "2026-12-24T15:00:00Z",
    next_charge_at: "2026-12-24T15:00:00Z",
    cancel_until: "2026-12-24T15:00:00Z",
    ends_at: null,
    retry_at: null,
    decline_code: null,
    card: {
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: 2034,
      is_expired: false,
      is_needed: true,
    },
    learner: { id: learner.id, name: "木下 葵" },
    orders: [
      { id: ORDER, number: "KM-261125-7Q4F2", total: 2980, paid_at: "2026-11-25T01:05:00Z" },
    ],
    can_cancel: true,
    can_resume: false,
    ...given,
  };
}

/** The paid order that started a subscription. */
export const subscriptionOrder = (given: Given = {}): Order =>
  paidOrder({
    subscription_id: SUBSCRIPTION,
    total: 2980,
    tax: 270,
    lines: orderOf().lines.map((line) => ({
      ...line,
      kind: "subscription",
      product_id: 3001,
      course_id: null,
      name: "月額 質問し放題",
      price: 2980,
      period_days: null,
    })),
    ...given,
  });

/** A receipt that was issued once. */
export function receiptOf(given: Partial<Receipt> = {}): Receipt {
  const { lines, discount, coupons, total, tax } = orderOf();
  return {
    number: "R-261125-7Q4F2",
    order_number: "KM-261125-7Q4F2",
    addressee: "木下 葵",
    issues: 1,
    issued_at: "2026-11-25T03:00:00Z",
    paid_at: "2026-11-25T01:05:00Z",
    lines,
    discount,
    coupons,
    total,
    tax,
    tax_rate: 10,
    issuer: "株式会社コノマナ",
    issuer_number: "T0000000000000",
    method: "card",
    ...given,
  };
}

function Frame() {
  const { pathname, search } = useLocation();
  return (
    <>
      <main tabIndex={-1} style={{ paddingInline: "var(--kn-gutter)" }}>
        <Outlet />
      </main>
      <output aria-label="address">{pathname + search}</output>
    </>
  );
}

interface Opening {
  user?: User;
}

/**
 * Opens a payment or order screen. `calls` lists the received calls, with `{id}` for the order
 * or the subscription and `{refund}` for the refund. Any other call answers 404.
 */
export async function open(path: string, answers: Answers, { user = learner }: Opening = {}) {
  const calls: string[] = [];
  stubServer((call) => {
    const called = call.path
      .replace(ORDER, "{id}")
      .replace(SUBSCRIPTION, "{id}")
      .replace(REFUND, "{refund}");
    calls.push(`${call.method} ${called}${call.search}`);
    return answerFrom(answers, call);
  });
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  sessionStore.signIn(user);
  onTestFinished(() => {
    sessionStore.reset();
    alertStore.set(alertStore.initial);
  });
  const routes = screens
    .filter(({ pattern }) => /^\/(?:payment|mypage)/.test(pattern))
    .map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null }));
  const router = createMemoryRouter(
    [{ Component: Frame, children: [...routes, { path: "*", element: <h1>ほかのページ</h1> }] }],
    { initialEntries: [path] },
  );
  const queries = new QueryClient({
    defaultOptions: {
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { screen, calls };
}

/**
 * Accessibility faults that axe finds at the narrowest and the widest width, and whether a screen
 * scrolls sideways.
 */
export async function faults(container: Element): Promise<string[]> {
  const found: string[] = [];
  for (const width of [320, 1264]) {
    await page.viewport(width, 800);
    const { violations } = await axe.run(container);
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`)));
    if (document.documentElement.scrollWidth > width) found.push(`wider than ${width} px`);
  }
  return found;
}
