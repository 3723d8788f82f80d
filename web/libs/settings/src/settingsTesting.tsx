/** What the tests of the screens stand on: a signed-in person, and a server that answers as it is told. */
import { connectApi } from "@konomana/http";
import type { User } from "@konomana/session";
import { sessionStore, startSession } from "@konomana/session";
import { alertStore, Alerts } from "@konomana/ui-base";
import { KitProvider } from "@konomana/ui-kit";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ComponentType } from "react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { onTestFinished, vi } from "vitest";
import { render } from "vitest-browser-react";

export const learner: User = {
  id: "018f0000-0000-7000-8000-000000000001",
  email: "adult@demo.example",
  last_name: "木下",
  first_name: "葵",
  last_name_kana: "キノシタ",
  first_name_kana: "アオイ",
  birth_date: "2011-04-01",
  school_year: "高1",
  scope: ["learner"],
  created: "2025-03-10T00:00:00Z",
  school_name: "",
  guardian_consent: "not_needed",
  erase_at: null,
  requested_birth_date: null,
  suspended_passkeys: 0,
  news: false,
};

type Body = Record<string, unknown> | undefined;
type Answers = Record<string, (body: Body) => Response | Promise<Response>>;

export const json = (body: unknown, status = 200) => Response.json(body, { status });
export const done = (status = 204) => new Response(null, { status });
export const problem = (status: number, code: string, rest: object = {}, retryAfter?: string) =>
  new Response(JSON.stringify({ status, code, ...rest }), {
    status,
    headers: {
      "content-type": "application/problem+json",
      ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    },
  });

/**
 * Opens a screen for a signed-in person. `answers` are by method and path below `/api/`, as in `"GET
 * accounts/user/"`; what is not named is not found. `calls` are those that came, with what they brought.
 */
export async function openFor(user: User, Component: ComponentType, answers: Answers) {
  const calls: { call: string; body: Body }[] = [];
  vi.stubGlobal("fetch", async (url: string, { method = "GET", body }: RequestInit) => {
    const call = `${method} ${new URL(url).pathname.replace("/api/", "")}`;
    const brought = typeof body === "string" ? (JSON.parse(body) as Body) : undefined;
    calls.push({ call, body: brought });
    return answers[call]?.(brought) ?? problem(404, "NOT_FOUND");
  });
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const left: string[] = [];
  const stop = startSession({
    queries,
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
  const router = createMemoryRouter([{ path: "*", Component }]);
  const screen = await render(
    <QueryClientProvider client={queries}>
      <KitProvider>
        <Alerts />
        <main tabIndex={-1}>
          <RouterProvider router={router} />
        </main>
      </KitProvider>
    </QueryClientProvider>,
  );
  return { screen, calls, left, blue: () => alertStore.get().blueMessage };
}
