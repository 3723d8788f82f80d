/** Test support for the cart: cart lines, and an account with a stub server. */
import { connectApi } from "@konomana/http";
import { sessionStore, type User } from "@konomana/session";
import { answerFrom, type Answers, learner, stubServer } from "@konomana/testing";
import { Alerts, alertStore } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { createMemoryRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { onTestFinished } from "vitest";
import { render } from "vitest-browser-react";
import type { Cart, CartLine, Product } from "./api/cartTypes";
import { visitorCart } from "./visitorCart";

export function productOf(id = 1105, given: Partial<Product> = {}): Product {
  return {
    id,
    kind: "course",
    name: `講座${id}`,
    summary: "",
    description: "",
    price: 16_500,
    period_days: 365,
    course_id: id - 1000,
    sale_starts_at: "2025-03-10T00:00:00Z",
    sale_ends_at: null,
    is_on_sale: true,
    exam_id: null,
    places_left: null,
    application_closes_at: null,
    ...given,
  };
}

export function lineOf(product: Product, given: Partial<CartLine> = {}): CartLine {
  return {
    id: `01936f2a-4c00-7a31-8b52-1f6d0c9e${product.id}`,
    product,
    learner: { id: learner.id, name: "木下 葵" },
    problem: null,
    added_at: "2026-11-25T00:00:00Z",
    is_ordered: false,
    asked_by: null,
    ...given,
  };
}

/**
 * A cart of these lines. Its total is the sum of the lines that can be bought, less the coupons.
 */
export function cartOf(lines: readonly CartLine[] = [], given: Partial<Cart> = {}): Cart {
  const free = lines.filter(({ problem, is_ordered }) => problem === null && !is_ordered);
  const subtotal = free.reduce((sum, { product }) => sum + product.price, 0);
  const { coupons = [] } = given;
  const discount = coupons.reduce((sum, { amount }) => sum + amount, 0);
  return {
    lines: [...lines],
    subtotal,
    discount,
    coupons,
    total: subtotal - discount,
    open_order: null,
    asked_at: null,
    learners: [{ id: learner.id, name: "木下 葵", lacks_consent: false, is_consent_asked: false }],
    ...given,
  };
}

/** Removes the stored cart before and after each test. */
export function emptyBrowser(): void {
  localStorage.clear();
  visitorCart.reload();
  onTestFinished(() => {
    localStorage.clear();
    sessionStorage.clear();
    visitorCart.reload();
    sessionStore.reset();
    alertStore.set(alertStore.initial);
  });
}

/** Answers calls; any other call answers 404. Returns the received calls. */
export function answerCalls(answers: Answers) {
  const calls: { call: string; body: unknown }[] = [];
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  stubServer((request) => {
    calls.push({ call: `${request.method} ${request.path}`, body: request.body });
    return answerFrom(answers, request);
  });
  return calls;
}

/** Renders content of the cart for a signed-in user, or for a visitor if `user` is `null`. */
export function show(content: ReactNode, user: User | null = learner) {
  if (user !== null) sessionStore.signIn(user);
  const router = createMemoryRouter([{ path: "*", element: content }]);
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  return render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
}
