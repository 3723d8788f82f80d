import { problem } from "@konomana/http/testing";
import { checkQuery, favoriteQuery, inventoryQuery } from "@konomana/learner";
import { addRecentlyViewed } from "@konomana/visitor";
import { expect, test } from "vitest";
import { createDraft } from "./drafts";
import { loginReason } from "./loginReason";
import { SessionOver } from "./refresh";
import { restorePath } from "./returnPath";
import { ensureUser } from "./signedInUser";
import { logout } from "./signOut";
import { sessionEnd, sessionStore } from "./state";
import { TOKENS_KEY } from "./tokenStorage";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, endDuringExam, fromAnotherTab, testSession, user } from "./testing-session";

const { navigate, queries, start } = testSession();

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

test("a running exam stays, and asks for a login", async () => {
  await endDuringExam(start);
  expect(navigate).not.toHaveBeenCalled();
  expect(sessionStore.get()).toEqual({ user, loggedIn: true });
  expect(sessionEnd.get()).toBe("ended");
  expect(keptTokens()).toBeNull();
  expect(loginReason.read()).toBeNull();
});
