import { ApiError } from "@konomana/http";
import { paths } from "@konomana/paths";
import { defineScreen } from "@konomana/screens";
import { sessionStore, startSession } from "@konomana/session";
import { createMemoryRouter, type LoaderFunctionArgs } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadQueries, personalData } from "../lazyQueries";
import { createRoutes } from "./routes";
import { warmUp } from "./warmUp";

const tokens = { access_token: "t", refresh_token: "r", access_expires_at: Date.now() + 600_000 };

let stop = () => {};

/** Opens a learner's screen before the server has returned the user. Returns the requests. */
async function open() {
  const asked: string[] = [];
  vi.stubGlobal("fetch", (url: string) => {
    asked.push(new URL(url, location.origin).pathname);
    return new Promise(() => {});
  });
  const screen = defineScreen({
    pattern: paths.ownedCourses.pattern,
    layout: "default",
    scope: "learner",
    serving: "client",
    warm: (client, { search }) => [
      client.prefetchQuery({
        queryKey: ["rows"],
        queryFn: () => fetch(`/rows/${search.get("page")}`),
      }),
    ],
    component: async () => {
      asked.push("code");
      return () => null;
    },
  });
  // The page announces the code of the query client.
  const { queries } = await loadQueries();
  queries.clear();
  const around = { navigate: () => {}, currentPath: () => "/", isPrivate: () => true };
  stop = startSession({ personal: personalData, ...around });
  createMemoryRouter(createRoutes([screen]), {
    initialEntries: ["/mypage/course?page=2"],
  });
  // No other request can begin while no response has come.
  await new Promise((resolve) => setTimeout(resolve));
  return asked;
}

beforeEach(() => {
  localStorage.clear();
  sessionStore.reset();
});

afterEach(() => {
  stop();
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("a cold open requests the user, the code and the data at once", async () => {
  localStorage.setItem("konomana.tokens", JSON.stringify(tokens));
  expect((await open()).toSorted()).toEqual(["/api/accounts/user/", "/rows/2", "code"]);
});

test("a visitor's browser requests no data of a learner", async () => {
  expect(await open()).not.toContain("/rows/2");
});

test("without a connection a screen opens only if its data is in the cache", async () => {
  localStorage.setItem("konomana.tokens", JSON.stringify(tokens));
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { queries } = await loadQueries();
  queries.clear();
  const lost = new ApiError({ status: 0, code: "NETWORK", traceId: "" });
  const screen = defineScreen({
    pattern: paths.ownedCourses.pattern,
    layout: "default",
    serving: "client",
    warm: (client) => [
      client.prefetchQuery({ queryKey: ["rows"], queryFn: () => Promise.reject(lost) }),
    ],
    component: async () => () => null,
  });
  const args = { request: new Request(location.href), params: {} } as LoaderFunctionArgs;
  const pass = () => Promise.resolve(warmUp(screen)(args, async () => {}));
  await expect(pass()).rejects.toMatchObject({ code: "NETWORK" });
  queries.setQueryData(["rows"], ["a row"]);
  await expect(pass()).resolves.toBeUndefined();
});
