import { connectApi } from "@konomana/http";
import { type ScreenHandle, toRoute } from "@konomana/screens";
import { sessionStore } from "@konomana/session";
import { learner, stubServer } from "@konomana/testing";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { Suspense } from "react";
import { createMemoryRouter, Outlet, RouterProvider, useLocation, useMatches } from "react-router";
import { expect } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { forgetSitting } from "./protocol/OpenSitting";
import { deleteAnswers } from "./protocol/protocolTesting";
import { timing } from "./protocol/timing";
import { setReadingAids } from "./reading/readingAids";
import { sittingScreens } from "./sittingScreens";
import { ExamServer } from "./sittingTesting";

export const EXAM = "/mypage/mockexam/1/exam";
export const slow = { timeout: 15_000 };

function Place() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

/** A minimal layout of the site. */
function Frame() {
  const { Beside } = (useMatches().at(-1)?.handle ?? {}) as Partial<ScreenHandle>;
  return (
    <>
      <header>
        {Beside && (
          <Suspense>
            <Beside />
          </Suspense>
        )}
      </header>
      <main style={{ padding: "0 var(--kn-gutter)" }}>
        <Outlet />
      </main>
      <Place />
    </>
  );
}

export async function openPage(start: string, server = new ExamServer()) {
  stubServer(server.answer);
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  sessionStore.signIn(learner);
  const router = createMemoryRouter(
    [
      {
        Component: Frame,
        children: [
          ...sittingScreens.map((screen) => ({ ...toRoute(screen), HydrateFallback: () => null })),
          { path: "/mypage/mockexam/:id", element: <h1>模試の申し込み</h1> },
        ],
      },
    ],
    { initialEntries: [start] },
  );
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const press = (name: string | RegExp) => screen.getByRole("button", { name }).click();
  const heading = (name: string | RegExp) =>
    expect.element(screen.getByRole("heading", { level: 1, name }), slow).toBeVisible();
  const state = (text: string) =>
    expect
      .element(screen.getByRole("status", { name: "この答えの保存" }), slow)
      .toHaveTextContent(text);
  const address = (path: string) =>
    expect.element(screen.getByLabelText("address"), slow).toHaveTextContent(path);
  return { screen, server, press, heading, state, address };
}

/** Opens the paper at its first question. */
export async function sit(server = new ExamServer()) {
  const opened = await openPage(`${EXAM}?paper=11`, server);
  await opened.press("始める");
  await opened.heading(`問題 1 / ${server.questions.length}`);
  return opened;
}

export const faults = async () =>
  (await axe.run(document.body, { rules: { region: { enabled: false } } })).violations.flatMap(
    ({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`),
  );

/** Forgets the sitting of the test before, on this device and in this page. */
export async function resetSitting() {
  forgetSitting();
  localStorage.clear();
  sessionStorage.clear();
  setReadingAids({ size: 100, contrast: false });
  timing.save = 50;
  timing.pause = 100;
  timing.retry = 300;
  timing.askWithin = 0;
  await page.viewport(1280, 900);
  await deleteAnswers();
}
