import { ApiError, connectApi } from "@konomana/http";
import { checkQuery, favoriteQuery, inventoryQuery } from "@konomana/learner";
import { problem, serve, type Received } from "@konomana/http/testing";
import { describe, expect, test, vi } from "vitest";
import { createDraft } from "./drafts";
import { loginReason } from "./loginReason";
import { SessionOver } from "./refresh";
import { restorePath } from "./remember";
import { addRecentlyViewed } from "@konomana/visitor";
import { ensureUser, enter, leave, login, logout, replaceTokens } from "./session";
import { sessionStore } from "./state";
import { TOKENS_KEY } from "./tokenStorage";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, fromAnotherTab, list, testSession, user } from "./testing-session";

const { queries, navigate, start } = testSession();
const credentials = { email: "adult@demo.example", password: "demo" };

const paths = (received: Received[]) => received.map(({ path }) => path.split("?")[0]);

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
  expect(sessionStore.get()).toEqual({ user, loggedIn: true });
});

test("signing in by a sign-up replaces the previous user", async () => {
  let now = user;
  await backEnd({ "/api/accounts/user/": () => ({ body: now }) });
  start();
  await login(credentials);
  now = { ...user, id: "u2" };
  await enter({ access_token: "a9", refresh_token: "r9" });
  expect(sessionStore.get().user).toMatchObject({ id: "u2" });
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
    expect(sessionStore.get().loggedIn).toBe(false);
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
    expect(sessionStore.get()).toEqual({ user: null, loggedIn: false });
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

  test("the courses that were viewed are forgotten: the next one at this computer sees none", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    addRecentlyViewed({ id: 101, name: "中1英語", category: "英語", school_year: "中1" });
    await logout();
    expect(localStorage.getItem("konomana.recently-viewed")).toBeNull();
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
    createDraft<{ text: string }>("note.7", ["text"]).write({ text: "書きかけ" });
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
    expect(loginReason.read()).toBe("signedOut");
  });

  test("a logout without a reachable server still signs the person out", async () => {
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
  test("a private page is replaced by the login", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    const { received } = await backEnd();
    start();
    await expect(ensureUser()).rejects.toBeInstanceOf(SessionOver);
    expect(received).toHaveLength(0);
    expect(keptTokens()).toBeNull();
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
    expect(restorePath()).toBe("/mypage/course?page=2");
  });

  test("a public page stays open", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    await backEnd();
    start("/course/101");
    await ensureUser().catch(() => {});
    expect(keptTokens()).toBeNull();
    expect(navigate).not.toHaveBeenCalled();
  });
});

test("the login shows that the session was ended elsewhere, also when later calls find no tokens", async () => {
  await backEnd({
    "/api/accounts/user/": () => problem(401, "UNAUTHENTICATED"),
    "/api/accounts/token/refresh/": () => problem(401, "REFRESH_DEAD"),
  });
  keepTokens();
  start();
  await expect(ensureUser()).rejects.toBeInstanceOf(SessionOver);
  expect(navigate).toHaveBeenCalledWith("/login");
  loginReason.keep("needed");
  expect(loginReason.read()).toBe("ended");
});

test("after the person ended every session, this one is removed and the given path opens", async () => {
  await backEnd();
  keepTokens();
  start();
  await ensureUser();
  leave("/login/closed");
  expect(keptTokens()).toBeNull();
  expect(sessionStore.get().loggedIn).toBe(false);
  expect(navigate).toHaveBeenCalledExactlyOnceWith("/login/closed");
  expect(restorePath()).toBe("/mypage");
});

describe("a call that ends every session and gives the tokens of a new one", () => {
  const given = { access_token: "a5", refresh_token: "r5" };

  test("keeps the person signed in with the new ones", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    await replaceTokens(async (token) => {
      expect(token).toBe("a1");
      return given;
    });
    expect(keptTokens()).toMatchObject(given);
    expect(sessionStore.get().user).toEqual(user);
  });

  test("makes a refresh wait, which then uses the new ones", async () => {
    const { received } = await backEnd({
      "/api/accounts/user/": ({ headers }) =>
        headers.authorization === "Bearer a5" ? { body: user } : problem(401, "UNAUTHENTICATED"),
      "/api/accounts/token/refresh/": () => problem(401, "REFRESH_DEAD"),
    });
    keepTokens();
    start();
    const answer = Promise.withResolvers<typeof given>();
    const replaced = replaceTokens(() => answer.promise);
    const known = ensureUser();
    await vi.waitFor(() => expect(paths(received)).toContain("/api/accounts/user/"));
    answer.resolve(given);
    await replaced;
    await expect(known).resolves.toEqual(user);
    expect(paths(received)).not.toContain("/api/accounts/token/refresh/");
    expect(navigate).not.toHaveBeenCalled();
  });

  test("refreshes once if its token is refused, and passes on any other error", async () => {
    await backEnd();
    keepTokens();
    start();
    const sent: string[] = [];
    const refused = new ApiError({ status: 401, code: "UNAUTHENTICATED", traceId: "" });
    await replaceTokens(async (token) => {
      sent.push(token);
      if (token === "a1") throw refused;
      return given;
    });
    expect(sent).toEqual(["a1", "a2"]);
    const wrong = new ApiError({ status: 400, code: "BAD_CREDENTIALS", traceId: "" });
    await expect(replaceTokens(() => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(keptTokens()).toMatchObject(given);
  });
});
