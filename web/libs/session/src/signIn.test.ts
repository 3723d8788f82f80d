import { inventoryQuery } from "@konomana/learner";
import { expect, test } from "vitest";
import { personalDataIn } from "./personalQueries";
import { enter, login } from "./signIn";
import { sessionStore } from "./state";
import { keptTokens } from "./testing";
import { backEnd, pathsOf, testSession, user } from "./testing-session";

const { queries, start } = testSession();
const credentials = { email: "adult@demo.example", password: "demo" };

test("spec §4: Login stores the tokens, then fetches the user", async () => {
  const { received } = await backEnd({
    "/api/accounts/user/": () => {
      expect(keptTokens()).toMatchObject({ access_token: "a1", refresh_token: "r1" });
      return { body: user };
    },
  });
  start();
  await login(credentials);
  expect(pathsOf(received).slice(0, 2)).toEqual(["/api/accounts/login/", "/api/accounts/user/"]);
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

test("the empty defaults of a sign-out are removed, so no list of the next user is shown as empty", async () => {
  const shown: unknown[] = [];
  await backEnd({
    "/api/accounts/user/": () => {
      shown.push(queries.getQueryData(inventoryQuery().queryKey));
      return { body: user };
    },
  });
  start();
  personalDataIn(queries).reset();
  await login(credentials);
  expect(shown).toEqual([undefined]);
});
