import type { User } from "./sessionApi";
import { expect, test, vi } from "vitest";
import { loginReason } from "./loginReason";
import { ensureUser, keepUser } from "./session";
import { sessionStore } from "./state";
import { TOKENS_KEY, USER_KEY } from "./tokenStorage";
import { keepTokens } from "./testing";
import { backEnd, fromAnotherTab, testSession, user } from "./testing-session";

const { navigate, start } = testSession();

test("a change of the user in another tab shows here", async () => {
  let name = "木下";
  await backEnd({ "/api/accounts/user/": () => ({ body: { ...user, last_name: name } }) });
  keepTokens();
  start();
  await ensureUser();
  name = "木上";
  fromAnotherTab(USER_KEY);
  await vi.waitFor(() => expect(sessionStore.get().user).toMatchObject({ last_name: "木上" }));
});

test("a change of the user here notifies other tabs", async () => {
  await backEnd();
  keepTokens();
  start();
  const known = await ensureUser();
  keepUser({ ...known, last_name: "木上" } as User);
  expect(sessionStore.get().user).toMatchObject({ last_name: "木上" });
  expect(localStorage.getItem(USER_KEY)).toMatch(/^\d+$/);
});

test("a logout in another tab ends the session here", async () => {
  await backEnd();
  keepTokens();
  start();
  await ensureUser();
  localStorage.removeItem(TOKENS_KEY);
  fromAnotherTab();
  expect(sessionStore.get().loggedIn).toBe(false);
  expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
  expect(loginReason.read()).toBe("signedOut");
});

test("a login in another tab signs in here", async () => {
  await backEnd();
  start();
  keepTokens();
  fromAnotherTab();
  await vi.waitFor(() => expect(sessionStore.get().loggedIn).toBe(true));
});
