/** What the tests of the screens stand on: a visitor's browser, content of a build, and a server that answers as told. */
import { connectApi } from "@konomana/api";
import { UiProvider } from "@konomana/ui";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, type RouteObject, RouterContextProvider } from "react-router";
import { RouterProvider } from "react-router/dom";
import { onTestFinished, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { type DeskSource, deskSource } from "./data/source";
import { routes } from "./routes";
import { type Snapshot, snapshotSource } from "./snapshot";

export const json = (body: unknown, status = 200) => Response.json(body, { status });
export const done = (status = 204) => new Response(null, { status });
export const problem = (status: number, code: string, rest: object = {}) =>
  new Response(JSON.stringify({ status, code, ...rest }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });

/** Content as a build would have it. */
export const content: Snapshot = {
  notices: [
    {
      id: 12,
      category: "メンテナンス",
      title: "12月の定期メンテナンス",
      summary: "12月5日の夜に、お休みをいただきます。",
      body: "お休みをいただきます。\n\n## 日時\n- 12月5日 2:00から\n\n[よくある質問](/inquiry)もご覧ください。",
      is_pinned: true,
      published_at: "2026-11-01T00:00:00Z",
      modified_at: "2026-11-03T00:00:00Z",
    },
    {
      id: 14,
      category: "講座",
      title: "新しい講座が始まりました",
      summary: "中3社会の講座です。",
      body: "はじめました。",
      is_pinned: false,
      published_at: "2026-11-10T00:00:00Z",
      modified_at: "2026-11-10T00:00:00Z",
    },
  ],
  faqs: [
    {
      id: 1,
      category: "料金・お支払い",
      question: "途中でやめられますか？",
      answer: "はい、いつでもやめられます。\n\n- 手続きは[設定](/mypage/settings)から",
      helpful_count: 8,
      related: [{ id: 2, question: "登録は無料ですか？" }],
    },
    {
      id: 2,
      category: "登録・ログイン",
      question: "登録は無料ですか？",
      answer: "無料です。",
      helpful_count: 0,
      related: [],
    },
  ],
  success: [2025, 2024, 2022].map((year) => ({
    year,
    as_of: `${year}-05-31`,
    figures: [{ label: "第一志望に合格", count: 150, of: 200, unit: "人" }],
    schools: [{ name: "みどり台高校", kind: "公立高校", count: 12 }],
    voices: [
      {
        name: "みずき",
        school: "みどり台高校",
        school_year: "中3",
        text: "毎日10分が合っていました。",
        course_ids: [105],
      },
    ],
  })),
  entryExams: [
    {
      id: 1,
      prefecture: "東京都",
      kind: "公立高校",
      name: "一般選抜",
      apply_from: "2027-02-01",
      apply_until: "2027-02-08",
      exam_on: "2027-02-21",
      result_on: "2027-03-01",
      subjects: ["国語", "数学"],
      note: "",
    },
    {
      id: 2,
      prefecture: "大阪府",
      kind: "公立高校",
      name: "特別選抜",
      apply_from: "2020-01-01",
      apply_until: "2020-01-08",
      exam_on: "2020-02-10",
      result_on: "2020-02-20",
      subjects: ["国語"],
      note: "",
    },
  ],
};

export interface Call {
  /** Method and path with its query, below `/api/desk/`. */
  call: string;
  headers: Headers;
  body: unknown;
}
export type Answers = Record<string, (call: Call) => Response | Promise<Response>>;

/** A router crosses off what it has loaded, so each has routes of its own. */
const ownRoutes = (): RouteObject[] =>
  routes.map((route) => ({
    ...route,
    ...(typeof route.lazy === "object" ? { lazy: { ...route.lazy } } : {}),
    HydrateFallback: () => null,
    ErrorBoundary: () => <h1>見つかりません</h1>,
  }));

interface Opened {
  /** By method and path below `/api/desk/`, e.g. `POST contact/`; what is not named is not found. */
  answers?: Answers;
  source?: DeskSource;
}

/** Opens a path for a visitor; `calls` are those that came to the server. */
export async function open(path: string, { answers = {}, source }: Opened = {}) {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(url, location.origin);
    const name = `${init.method ?? "GET"} ${pathname.replace("/api/desk/", "")}`;
    const { body } = init;
    const call: Call = {
      call: name + decodeURIComponent(search),
      headers: new Headers(init.headers),
      body: typeof body === "string" ? JSON.parse(body) : body,
    };
    calls.push(call);
    return answers[name]?.(call) ?? problem(404, "NOT_FOUND");
  });
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const router = createMemoryRouter(ownRoutes(), {
    initialEntries: [path],
    getContext: () => {
      const context = new RouterContextProvider();
      context.set(deskSource, source ?? snapshotSource(content));
      return context;
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <UiProvider>
        <main>
          <RouterProvider router={router} />
        </main>
      </UiProvider>
    </QueryClientProvider>,
  );
  const heading = (name: string) => screen.getByRole("heading", { level: 1, name });
  return { screen, calls, heading, router };
}

/** What axe finds on a narrow screen, and whether it has to be moved sideways. */
export async function faultsOnAPhone(container: Element): Promise<string[]> {
  await page.viewport(320, 640);
  const { violations } = await axe.run(container);
  const wide = document.documentElement.scrollWidth > 320;
  return [...violations.map(({ id }) => id), ...(wide ? ["wider than 320 px"] : [])];
}
