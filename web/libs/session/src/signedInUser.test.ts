import { serve } from "@konomana/http/testing";
import { describe, expect, test, vi } from "vitest";
import type { User } from "./sessionApi";
import { ensureUser, keepUser, USER_KEY } from "./signedInUser";
import { sessionStore } from "./state";
import { keepTokens } from "./testing";
import { backEnd, list, pathsOf, testSession, user } from "./testing-session";

const { start } = testSession();

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
    expect(pathsOf(received).toSorted()).toEqual([
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

test("a change of the user here notifies other tabs", async () => {
  await backEnd();
  keepTokens();
  start();
  const known = await ensureUser();
  keepUser({ ...known, last_name: "木上" } as User);
  expect(sessionStore.get().user).toMatchObject({ last_name: "木上" });
  expect(localStorage.getItem(USER_KEY)).toMatch(/^\d+$/);
});
