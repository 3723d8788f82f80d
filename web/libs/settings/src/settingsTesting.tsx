/** Test support for the screens: a signed-in user, and a stub server with configurable answers. */
import { answerFrom, type Answers, stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import type { User } from "@konomana/session";
import { personalDataIn, sessionStore, startSession } from "@konomana/session";
import { alertStore, Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";

type Body = Record<string, unknown> | undefined;

/**
 * Opens a screen for a signed-in user. Any call without an answer answers 404. `calls` lists the
 * received calls with their bodies.
 */
export async function openFor(
  user: User,
  Component: ComponentType,
  answers: Answers,
  address = "/mypage/settings",
) {
  const calls: { call: string; body: Body }[] = [];
  stubServer((call) => {
    calls.push({ call: `${call.method} ${call.path}`, body: call.body as Body });
    return answerFrom(answers, call);
  });
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const left: string[] = [];
  const stop = startSession({
    personal: personalDataIn(queries),
    navigate: (path) => void left.push(path),
    currentPath: () => "/mypage/settings",
    isPrivate: () => true,
  });
  connectApi({ session: { token: async () => "t", renew: async () => "t", lost: () => {} } });
  const tokens = { access_token: "t", refresh_token: "r", access_expires_at: Date.now() + 60_000 };
  localStorage.setItem("konomana.tokens", JSON.stringify(tokens));
  sessionStore.signIn(user);
  onTestFinished(() => {
    stop();
    localStorage.clear();
    sessionStore.reset();
    vi.unstubAllGlobals();
  });
  const router = createMemoryRouter([{ path: "*", Component }], { initialEntries: [address] });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <main tabIndex={-1}>
        <RouterProvider router={router} />
      </main>
    </QueryClientProvider>,
  );
  return { screen, calls, left, blue: () => alertStore.get().blueMessage };
}
