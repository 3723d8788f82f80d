/** Test support: opens the cart, its confirmation and the coupons with a stub server. */
import { answerCalls } from "@konomana/cart/testing";
import { type Answers, learner } from "@konomana/testing";
import { toRoute } from "@konomana/screens";
import { sessionStore, type User } from "@konomana/session";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, Outlet, useLocation } from "react-router";
import { RouterProvider } from "react-router/dom";
import { render } from "vitest-browser-react";
import { screens } from "./buyingScreens";

function Frame() {
  const { pathname, search } = useLocation();
  return (
    <>
      <main tabIndex={-1}>
        <Outlet />
      </main>
      <output aria-label="address">{pathname + search}</output>
    </>
  );
}

/** Opens a path for a user, or for a visitor if it is `null`. Returns the received calls. */
export async function openCart(path: string, answers: Answers, user: User | null = learner) {
  const calls = answerCalls(answers);
  if (user !== null) sessionStore.signIn(user);
  const routes = screens
    .filter(({ pattern }) => /^\/(?:cart|mypage\/coupon)/.test(pattern))
    .map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null }));
  const router = createMemoryRouter(
    [{ Component: Frame, children: [...routes, { path: "*", element: <h1>ほかのページ</h1> }] }],
    { initialEntries: [path] },
  );
  const queries = new QueryClient({
    defaultOptions: { queries: { retry: false, networkMode: "always" } },
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { screen, calls };
}
