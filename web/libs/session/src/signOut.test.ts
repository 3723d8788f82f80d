import { problem } from "@konomana/http/testing";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { restorePath } from "./returnPath";
import { ensureUser } from "./signedInUser";
import { leave, logout } from "./signOut";
import { sessionStore } from "./state";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, pathsOf, testSession } from "./testing-session";

const { navigate, start } = testSession();

test("spec §4: Logout calls the server, redirects to the login page and clears tokens", async () => {
  const { received } = await backEnd();
  keepTokens();
  start();
  await ensureUser();
  await logout();
  expect(pathsOf(received)).toContain("/api/accounts/logout/");
  expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
  expect(keptTokens()).toBeNull();
  expect(sessionStore.get()).toEqual({ user: null, loggedIn: false });
});

test("a logout without a reachable server still signs the person out", async () => {
  await backEnd({ "/api/accounts/logout/": () => problem(502, "UPSTREAM_UNAVAILABLE") });
  keepTokens();
  start();
  await logout();
  expect(keptTokens()).toBeNull();
});

/** Stubs a browser with a push subscription that ends like this. */
function stubPush(end: () => Promise<boolean>) {
  const unsubscribe = vi.fn<() => Promise<boolean>>(end);
  const registration = {
    pushManager: { getSubscription: () => Promise.resolve({ unsubscribe }) },
  };
  const getRegistration = (scope: string) =>
    Promise.resolve(scope === "/mypage/settings/notification" ? registration : undefined);
  vi.stubGlobal("navigator", { locks: navigator.locks, serviceWorker: { getRegistration } });
  onTestFinished(() => void vi.unstubAllGlobals());
  return unsubscribe;
}

describe.each([
  ["a logout", () => logout()],
  ["the end of every session", () => leave()],
])("%s", (_, signOut) => {
  // A wait for the push service would exceed this limit.
  test.each([
    ["ends", () => Promise.resolve(true)],
    [
      "survives a failure to end",
      () => Promise.reject(new DOMException("offline", "NetworkError")),
    ],
    ["doesn't wait for a push service to end", () => new Promise<boolean>(() => {})],
  ])("%s the notifications of this browser", { timeout: 1_500 }, async (__, end) => {
    const unsubscribe = stubPush(end);
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    await signOut();
    expect(keptTokens()).toBeNull();
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
    await expect.poll(() => unsubscribe).toHaveBeenCalledOnce();
  });
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
