import { checkQuery, connectApi, favoriteQuery, inventoryQuery, type User } from "@konomana/api";
import { problem, serve, type Received, type Reply } from "@konomana/api/testing";
import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { draftOf } from "./drafts";
import { requireAuth } from "./guard";
import { SessionOver } from "./refresh";
import { restorePath } from "./remember";
import { lookedCourses, rememberLooked } from "./looked";
import { ensureUser, enter, keepUser, leave, login, logout, startSession } from "./session";
import { sessionStore } from "./state";
import { TOKENS_KEY, USER_KEY } from "./storage";
import { freshStorage, keepTokens, keptTokens, turnsAreOver } from "./testing";

const user = { id: "u1", email: "adult@demo.example", scope: ["learner"] };
const list = { count: 0, next: null, previous: null, results: [] };
const credentials = { email: "adult@demo.example", password: "demo" };

const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const navigate = vi.fn<(path: string) => void>();
let page = "/mypage/course?page=2";
let stop = () => {};

beforeEach(() => {
  freshStorage();
  queries.clear();
  sessionStore.reset();
  navigate.mockReset();
  page = "/mypage/course?page=2";
  vi.stubGlobal("addEventListener", vi.fn<typeof addEventListener>());
  vi.stubGlobal("removeEventListener", vi.fn<typeof removeEventListener>());
  connectApi({ cookies: () => null });
});

afterEach(async () => {
  stop();
  vi.useRealTimers();
  await turnsAreOver();
  vi.unstubAllGlobals();
});

const start = () => {
  stop = startSession({ queries, navigate, currentPath: () => page });
};

/** Everything goes well; `exceptions` answer their path in its place. */
const backEnd = (exceptions: Record<string, (request: Received) => Reply> = {}) =>
  serve((request) => {
    const path = new URL(request.path, "http://api.invalid").pathname;
    const exception = exceptions[path];
    if (exception) return exception(request);
    if (path === "/api/accounts/login/")
      return { body: { access_token: "a1", refresh_token: "r1" } };
    if (path === "/api/accounts/token/refresh/")
      return { body: { access_token: "a2", refresh_token: "r2" } };
    if (path === "/api/accounts/user/") return { body: user };
    if (path === "/api/accounts/logout/") return { status: 204 };
    return { body: list };
  });

const paths = (received: Received[]) => received.map(({ path }) => path.split("?")[0]);

/** Tells this tab that another one has changed the tokens, or what `key` names. */
function fromAnotherTab(key = TOKENS_KEY): void {
  const listening = vi.mocked(addEventListener).mock.calls.find(([type]) => type === "storage");
  const listener = listening?.[1] as unknown as ((event: { key: string }) => void) | undefined;
  listener?.({ key });
}

test("spec §4: Login stores the tokens, then fetches the user", async () => {
  const { received } = await backEnd({
    "/api/accounts/user/": () => {
      expect(keptTokens()).toMatchObject({ access_token: "a1", refresh_token: "r1" });
      return { body: user };
    },
  });
  start();
  await login(credentials);
  expect(paths(received).slice(0, 2)).toEqual(["/api/accounts/login/", "/api/accounts/user/"]);
  expect(sessionStore.getSnapshot()).toEqual({ user, loggedIn: true });
});

test("somebody who comes in by a sign-up takes the place of who was signed in", async () => {
  let now = user;
  await backEnd({ "/api/accounts/user/": () => ({ body: now }) });
  start();
  await login(credentials);
  now = { ...user, id: "u2" };
  await enter({ access_token: "a9", refresh_token: "r9" });
  expect(sessionStore.getSnapshot().user).toMatchObject({ id: "u2" });
  expect(keptTokens()).toMatchObject({ access_token: "a9", refresh_token: "r9" });
});

test("spec §4: On user load, inventory, favorites and checks are fetched together", async () => {
  const gate = Promise.withResolvers<void>();
  const { received } = await serve(async ({ path }) => {
    if (path === "/api/accounts/user/") return { body: user };
    await gate.promise;
    return { body: list };
  });
  keepTokens();
  start();
  await ensureUser();
  await vi.waitFor(() =>
    expect(paths(received).toSorted()).toEqual([
      "/api/accounts/user/",
      "/api/lms/check/",
      "/api/lms/favorite/",
      "/api/lms/inventory/",
    ]),
  );
  gate.resolve();
});

test("spec §6: Only a logged-in user loads inventory, favorites and checks", async () => {
  const { received } = await backEnd();
  start();
  await expect(ensureUser()).resolves.toBeNull();
  expect(received).toHaveLength(0);
});

describe("spec §8: 'User Data response does not contain field ...'", () => {
  test.each(["id", "scope"])("%s", async (field) => {
    await backEnd({ "/api/accounts/user/": () => ({ body: { ...user, [field]: undefined } }) });
    keepTokens();
    start();
    await expect(ensureUser()).rejects.toThrow(
      `User Data response does not contain field ${field}`,
    );
    expect(sessionStore.getSnapshot().loggedIn).toBe(false);
  });
});

describe("logout", () => {
  test("spec §4: Logout calls the server, redirects to the login page and clears tokens", async () => {
    const { received } = await backEnd();
    keepTokens();
    start();
    await ensureUser();
    await logout();
    expect(paths(received)).toContain("/api/accounts/logout/");
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
    expect(keptTokens()).toBeNull();
    expect(sessionStore.getSnapshot()).toEqual({ user: null, loggedIn: false });
  });

  test("spec §4: inventory, favorites and checks are reset to empty defaults", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    queries.setQueryData(["personal", "inventory-item", "7"], { id: 7 });
    await logout();
    for (const { queryKey } of [inventoryQuery(), favoriteQuery(), checkQuery()])
      expect(queries.getQueryData(queryKey)).toMatchObject({ count: 0, results: [] });
    expect(queries.getQueryData(["personal", "inventory-item", "7"])).toBeUndefined();
  });

  test("the courses that were looked at are forgotten: the next one at this computer sees none", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    rememberLooked({ id: 101, name: "中1英語", category: "英語", school_year: "中1" });
    await logout();
    expect(lookedCourses()).toEqual([]);
  });

  test.each([
    ["here", logout],
    [
      "in another tab",
      async () => {
        localStorage.removeItem(TOKENS_KEY);
        fromAnotherTab();
      },
    ],
  ])("drafts are removed by a sign-out %s", async (_, signOut) => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    draftOf<{ text: string }>("note.7", ["text"]).write({ text: "書きかけ" });
    await signOut();
    const keys = Array.from({ length: sessionStorage.length }, (__, at) => sessionStorage.key(at));
    expect(keys.filter((key) => key?.startsWith("konomana.draft."))).toEqual([]);
  });

  test("spec §4: On login or logout redirects the current path is remembered", async () => {
    await backEnd();
    keepTokens();
    start();
    await logout();
    expect(restorePath()).toBe("/mypage/course?page=2");
  });

  test("a server that can't be reached does not keep anybody signed in", async () => {
    await backEnd({ "/api/accounts/logout/": () => problem(502, "UPSTREAM_UNAVAILABLE") });
    keepTokens();
    start();
    await logout();
    expect(keptTokens()).toBeNull();
  });
});

describe("spec §4: When the access token has expired and a refresh token exists, it is refreshed automatically", () => {
  test("before the call goes out", async () => {
    keepTokens({ access_expires_at: Date.now() - 1 });
    const { received } = await backEnd();
    start();
    await ensureUser();
    expect(paths(received).slice(0, 2)).toEqual([
      "/api/accounts/token/refresh/",
      "/api/accounts/user/",
    ]);
    expect(received[1]?.headers.authorization).toBe("Bearer a2");
  });

  test("and a minute before its expiry, without any call", async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", async (url: string) =>
      Response.json(
        url.includes("refresh")
          ? { access_token: "a2", refresh_token: "r2" }
          : { ...user, ...list },
      ),
    );
    connectApi({ baseUrl: "http://api.invalid" });
    keepTokens({ access_expires_at: Date.now() + 3_600_000 });
    start();
    await vi.advanceTimersByTimeAsync(3_539_000);
    expect(keptTokens()?.access_token).toBe("a1");
    await vi.advanceTimersByTimeAsync(2000);
    expect(keptTokens()?.access_token).toBe("a2");
  });
});

describe("spec §4: When the refresh token has also expired, the session is reset and the request is aborted", () => {
  test("on a page of the person's own, the login takes its place", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    const { received } = await backEnd();
    start();
    await expect(ensureUser()).rejects.toBeInstanceOf(SessionOver);
    expect(received).toHaveLength(0);
    expect(keptTokens()).toBeNull();
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
    expect(restorePath()).toBe("/mypage/course?page=2");
  });

  test("on a public page the person stays", async () => {
    page = "/course/101";
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    await backEnd();
    start();
    await ensureUser().catch(() => {});
    expect(keptTokens()).toBeNull();
    expect(navigate).not.toHaveBeenCalled();
  });
});

test("a session that the person ended everywhere is forgotten here, and the right page opens", async () => {
  await backEnd();
  keepTokens();
  start();
  await ensureUser();
  leave("/login/closed");
  expect(keptTokens()).toBeNull();
  expect(sessionStore.getSnapshot().loggedIn).toBe(false);
  expect(navigate).toHaveBeenCalledExactlyOnceWith("/login/closed");
  expect(restorePath()).toBe("/mypage");
});

describe("other tabs", () => {
  test("what changed about the person there shows here", async () => {
    let name = "木下";
    await backEnd({ "/api/accounts/user/": () => ({ body: { ...user, last_name: name } }) });
    keepTokens();
    start();
    await ensureUser();
    name = "木上";
    fromAnotherTab(USER_KEY);
    await vi.waitFor(() =>
      expect(sessionStore.getSnapshot().user).toMatchObject({ last_name: "木上" }),
    );
  });

  test("are told what changed about the person here", async () => {
    await backEnd();
    keepTokens();
    start();
    const known = await ensureUser();
    keepUser({ ...known, last_name: "木上" } as User);
    expect(sessionStore.getSnapshot().user).toMatchObject({ last_name: "木上" });
    expect(localStorage.getItem(USER_KEY)).toMatch(/^\d+$/);
  });

  test("a logout there ends the session here", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    localStorage.removeItem(TOKENS_KEY);
    fromAnotherTab();
    expect(sessionStore.getSnapshot().loggedIn).toBe(false);
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
  });

  test("a login there signs in here", async () => {
    await backEnd();
    start();
    keepTokens();
    fromAnotherTab();
    await vi.waitFor(() => expect(sessionStore.getSnapshot().loggedIn).toBe(true));
  });
});

const open = (path: string) => {
  const request = new Request(new URL(path, "http://127.0.0.1:8080"));
  const args = { request, params: {} } as unknown as Parameters<typeof requireAuth>[0];
  return Promise.resolve(requireAuth(args, async () => {}));
};
const answerOf = (path: string) => open(path).catch((thrown: unknown) => thrown as Response);

describe("spec §6: Routes marked auth require a signed-in user; the rule is enforced before the page opens", () => {
  test("a visitor is sent to the login, and the path is remembered", async () => {
    await backEnd();
    start();
    const answer = await answerOf("/mypage/learnning/7?a=1");
    expect(answer).toBeInstanceOf(Response);
    expect((answer as Response).headers.get("location")).toBe("/login");
    expect(restorePath()).toBe("/mypage/learnning/7?a=1");
  });

  test("a signed-in user passes", async () => {
    await backEnd();
    keepTokens();
    start();
    await expect(open("/mypage")).resolves.toBeUndefined();
  });

  test("during a maintenance the person is sent there", async () => {
    const info = { title: "t", message: "m", starts_at: null, ends_at: null, affected: [] };
    await backEnd({ "/api/accounts/user/": () => ({ status: 503, body: info }) });
    keepTokens();
    start();
    expect(((await answerOf("/mypage")) as Response).headers.get("location")).toBe("/maintenance");
  });

  test("a session that has ended meets the login, not an error", async () => {
    await backEnd();
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    start();
    expect(((await answerOf("/mypage")) as Response).headers.get("location")).toBe("/login");
  });

  test("a failing server says nothing about who is signed in", async () => {
    await backEnd({ "/api/accounts/user/": () => problem(504, "OUT_OF_TIME") });
    keepTokens();
    start();
    await expect(open("/mypage")).rejects.toMatchObject({ status: 504 });
    expect(keptTokens()).not.toBeNull();
  });
});
