/**
 * Test support for the screens: a visitor's browser and a stub server with configurable answers.
 */
import { answerFrom, type Answers, learner, stubServer } from "@konomana/testing";
import { toRoute } from "@konomana/screens";
import { connectApi } from "@konomana/http";
import { personalDataIn, sessionStore, startSession } from "@konomana/session";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, type RouteObject, RouterProvider } from "react-router";
import { onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { screens } from "./accountScreens";

type Body = Record<string, unknown>;

export const tokens = { access_token: "a", refresh_token: "r" };

/** The server's answers right after a sign-in. */
export const signedIn: Answers = {
  "GET accounts/user/": () => ({ ...learner, scope: ["guardian"] }),
};

const ownRoutes = (): RouteObject[] =>
  screens.map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null }));

/** Stub of a screen of another domain. */
const stub = (title: string) => <h1>{title}</h1>;

/**
 * Opens a path for a visitor. Any call without an answer answers 404. `calls` lists the received calls with their bodies. Browser storage survives
 * from one page to the next; `freshBrowser` empties it.
 */
export async function open(path: string, answers: Answers = {}) {
  const calls: { call: string; body: Body }[] = [];
  stubServer((call) => {
    const body = (call.body ?? {}) as Body;
    calls.push({ call: `${call.method} ${call.path}`, body });
    return answerFrom(answers, call);
  });
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(
    [
      ...ownRoutes(),
      { path: "/", element: stub("トップ") },
      { path: "/mypage", element: stub("マイページ") },
      { path: "/mypage/favorite", element: stub("お気に入り") },
    ],
    { initialEntries: [path] },
  );
  const stop = startSession({
    personal: personalDataIn(queries),
    navigate: (to) => void router.navigate(to),
    currentPath: () => router.state.location.pathname,
    isPrivate: () => false,
  });
  onTestFinished(() => {
    stop();
    freshBrowser();
    vi.unstubAllGlobals();
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const press = (name: string) => screen.getByRole("button", { name }).click();
  const heading = (name: string | RegExp) => screen.getByRole("heading", { level: 1, name });
  return { screen, calls, press, heading, router };
}

/** Accessibility faults that axe finds at phone width, and whether the page scrolls sideways. */
export async function faultsOnAPhone(container: Element): Promise<string[]> {
  await page.viewport(320, 640);
  const { violations } = await axe.run(container);
  const wide = document.documentElement.scrollWidth > 320;
  return [...violations.map(({ id }) => id), ...(wide ? ["wider than 320 px"] : [])];
}

/** Empties the storage: test files share one browser. */
export function freshBrowser(): void {
  localStorage.clear();
  sessionStorage.clear();
  sessionStore.reset();
}
