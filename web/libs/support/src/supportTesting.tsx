/**
 * Test support for the screens: a visitor's browser, and a stub server with configurable answers.
 */
import { answerFrom, type Answers, stubServer } from "@konomana/testing";
import { toRoute } from "@konomana/screens";
import { connectApi } from "@konomana/http";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, type RouteObject, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { type SupportSource, supportSource } from "./data/supportSource";
import { screens } from "./supportScreens";
import { snapshotSource } from "./supportSnapshot";
import { content } from "./testing-content";

export interface Call {
  /** Method and path with its query, below `/api/`. */
  call: string;
  headers: Headers;
  body: unknown;
}

const ownRoutes = (): RouteObject[] =>
  screens.map((screen) => ({
    ...toRoute(screen),
    HydrateFallback: () => null,
    ErrorBoundary: () => <h1>見つかりません</h1>,
  }));

interface Options {
  /** Any other call answers 404. */
  answers?: Answers;
  source?: SupportSource;
}

/** Opens a path for a visitor. `calls` lists the received calls. */
export async function open(path: string, { answers = {}, source }: Options = {}) {
  const calls: Call[] = [];
  stubServer((call) => {
    const { method, search, headers, body } = call;
    calls.push({ call: `${method} ${call.path}${decodeURIComponent(search)}`, headers, body });
    return answerFrom(answers, call);
  });
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(ownRoutes(), {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(supportSource, source ?? snapshotSource(content));
      return context;
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <>
        <Alerts />
        <main>
          <RouterProvider router={router} />
        </main>
      </>
    </QueryClientProvider>,
  );
  const heading = (name: string) => screen.getByRole("heading", { level: 1, name });
  return { screen, calls, heading, router };
}

/** Accessibility faults that axe finds at phone width, and whether the page scrolls sideways. */
export async function faultsOnAPhone(container: Element): Promise<string[]> {
  await page.viewport(320, 640);
  const { violations } = await axe.run(container);
  const wide = document.documentElement.scrollWidth > 320;
  return [...violations.map(({ id }) => id), ...(wide ? ["wider than 320 px"] : [])];
}
