import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { defineScreen, hasIdentifier, type Screen } from "@konomana/screens";
import { createMemoryRouter, data } from "react-router";
import { RouterProvider } from "react-router/dom";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { App } from "../App";
import { createRoutes } from "./routes";

const TRACE = "0af7651916cd43dd8448eb211c80319c";

async function open(path: string, screens: readonly Screen[]) {
  const router = createMemoryRouter(createRoutes(screens), { initialEntries: [path] });
  await render(
    <App>
      <RouterProvider router={router} />
    </App>,
  );
  return router;
}

const home = defineScreen({
  pattern: paths.home.pattern,
  layout: "default",
  serving: "prerendered",
  component: async () => () => <h1>TOPのページ</h1>,
});
const course = defineScreen({
  pattern: paths.course.pattern,
  layout: "default",
  serving: "per-course",
  valid: hasIdentifier,
  component: async () => () => <h1>講座のページ</h1>,
});

async function nobodyKnows(): Promise<never> {
  throw new ApiError({ status: 404, code: "NOT_FOUND", traceId: TRACE });
}

async function forbidden(): Promise<never> {
  throw data("FORBIDDEN", { status: 403 });
}

/** The error that the router passes to the error page. */
function thrown(router: Awaited<ReturnType<typeof open>>): unknown {
  return Object.values(router.state.errors ?? {})[0];
}

beforeEach(() => vi.spyOn(console, "error").mockImplementation(() => {}));
afterEach(() => vi.restoreAllMocks());

describe("not found", () => {
  test('spec §8: Unmatched route: 404 "Page not found: {fullPath}"', async () => {
    const router = await open("/nowhere?a=1", [home]);
    await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
    expect(thrown(router)).toMatchObject({ status: 404, data: "Page not found: /nowhere?a=1" });
    await page.getByRole("link", { name: "TOPへ" }).click();
    await expect.element(page.getByRole("heading", { name: "TOPのページ" })).toBeVisible();
  });

  test('spec §8: Failed route validity check: "Page Not Found: {fullPath}"', async () => {
    const router = await open("/course/0101?from=home", [course]);
    await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
    expect(thrown(router)).toMatchObject({
      status: 404,
      data: "Page Not Found: /course/0101?from=home",
    });
  });

  test("spec §5: a valid path opens", async () => {
    await open("/course/101", [course]);
    await expect.element(page.getByRole("heading", { name: "講座のページ" })).toBeVisible();
  });

  test("spec §8: Status 404 shows the not-found page", async () => {
    await open("/course/999", [{ ...course, load: nobodyKnows }]);
    await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
    await expect.element(page.getByRole("banner")).toBeVisible();
  });
});

describe("other errors", () => {
  test("an unavailable upstream shows its trace id and can be retried", async () => {
    const failure = new ApiError({ status: 502, code: "UPSTREAM_UNAVAILABLE", traceId: TRACE });
    const load = vi
      .fn<() => Promise<null>>()
      .mockRejectedValueOnce(failure)
      .mockResolvedValue(null);
    await open("/", [{ ...home, load }]);
    await expect.element(page.getByRole("alert").getByText(TRACE)).toBeVisible();
    await expect
      .element(page.getByRole("heading", { level: 1 }))
      .toHaveTextContent("つながりにくくなっています");
    await page.getByRole("button", { name: "もう一度試す" }).click();
    await expect.element(page.getByRole("heading", { name: "TOPのページ" })).toBeVisible();
  });

  test("a forbidden page shows a message", async () => {
    await open("/", [{ ...home, load: forbidden }]);
    await expect.element(page.getByText("このアカウントでは見られないページです。")).toBeVisible();
  });
});

describe("spec §8: Render errors from search-engine crawlers and similar bots are not shown as an error page", () => {
  const broken: Screen = {
    ...home,
    component: async () => () => {
      throw new Error("broken while drawing");
    },
  };

  test("a person sees the error page", async () => {
    await open("/", [broken]);
    await expect.element(page.getByRole("alert").getByText("表示できませんでした")).toBeVisible();
  });

  test("a bot does not see it", async () => {
    vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Googlebot/2.1");
    await open("/", [broken]);
    await expect.element(page.getByRole("banner")).toBeVisible();
    await expect.element(page.getByText("表示できませんでした")).not.toBeInTheDocument();
  });
});

test("an error in one screen keeps its layout and the navigation", async () => {
  const router = await open("/", [{ ...home, load: forbidden }, course]);
  await expect.element(page.getByText("このアカウントでは見られないページです。")).toBeVisible();
  await router.navigate("/course/101");
  await expect.element(page.getByRole("heading", { name: "講座のページ" })).toBeVisible();
});
