import { problem } from "@konomana/http/testing";
import { describe, expect, test } from "vitest";
import { runningExam } from "./runningExam";
import { ensureUser } from "./signedInUser";
import { login } from "./signIn";
import { leave } from "./signOut";
import { sessionStore } from "./state";
import { keepTokens } from "./testing";
import { backEnd, EXAM, testSession, user } from "./testing-session";

const { start } = testSession();

const maintenance = { title: "t", message: "m", starts_at: null, ends_at: null, affected: [] };

test.each([
  [EXAM, true],
  ["/mypage/mockexam/1/exam", true],
  ["/mypage/mockexam/1/exam/checkpage?paper=103", true],
  ["/mypage/mockexam/1/exam/checkresult", false],
  ["/mypage/mockexam/2/exam", false],
  ["/mypage", false],
])("a running exam has its screens: %s", (path, isAt) => {
  expect(runningExam.isAt(path)).toBe(false);
  runningExam.keep(1, user);
  expect(runningExam.isAt(path)).toBe(isAt);
  runningExam.forget();
  expect(runningExam.isAt(path)).toBe(false);
});

describe("the person of a running exam", () => {
  test.each([
    ["a maintenance", () => ({ status: 503, body: maintenance })],
    ["a failing server", () => problem(502, "UPSTREAM_UNAVAILABLE")],
  ])("is known during %s", async (_, answer) => {
    const { received } = await backEnd({ "/api/accounts/user/": answer });
    keepTokens();
    runningExam.keep(1, user);
    start(EXAM);
    await expect(ensureUser()).resolves.toEqual(user);
    expect(new Set(received.map(({ path }) => path))).toEqual(new Set(["/api/accounts/user/"]));
    expect(sessionStore.get()).toEqual({ user, loggedIn: true });
  });

  test("is not used on other pages or without a running exam", async () => {
    await backEnd({ "/api/accounts/user/": () => problem(502, "UPSTREAM_UNAVAILABLE") });
    keepTokens();
    start(EXAM);
    await expect(ensureUser()).rejects.toMatchObject({ status: 502 });
    runningExam.keep(1, user);
    start("/mypage");
    await expect(ensureUser()).rejects.toMatchObject({ status: 502 });
  });

  test("is removed at the sign-out", async () => {
    await backEnd();
    keepTokens();
    runningExam.keep(1, user);
    start("/mypage");
    await ensureUser();
    leave();
    expect(runningExam.isAt(EXAM)).toBe(false);
  });

  test("is removed when another person signs in", async () => {
    await backEnd({ "/api/accounts/user/": () => problem(502, "UPSTREAM_UNAVAILABLE") });
    runningExam.keep(1, user);
    start(EXAM);
    await expect(login({ email: "b@example.jp", password: "secret" })).rejects.toMatchObject({
      status: 502,
    });
    await expect(ensureUser()).rejects.toMatchObject({ status: 502 });
    expect(sessionStore.get().user).toBeNull();
  });
});
