import { problem } from "@konomana/http/testing";
import { describe, expect, test } from "vitest";
import { loginAgain } from "./loginAgain";
import { loginReason } from "./loginReason";
import { runningExam } from "./runningExam";
import { ensureUser, leave, login } from "./session";
import { sessionApi } from "./sessionApi";
import { sessionEnd, sessionStore } from "./state";
import { TOKENS_KEY } from "./tokenStorage";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, fromAnotherTab, testSession, user } from "./testing-session";

const { navigate, start } = testSession();

const EXAM = "/mypage/mockexam/1/exam?paper=103&question=2";
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

describe("the session ends during an exam", () => {
  const ended = { "/api/accounts/token/refresh/": () => problem(401, "UNAUTHENTICATED") };

  async function examWithoutSession() {
    let person: typeof user | null = user;
    const signIn = (newPerson = user) => {
      person = newPerson;
      return { body: { access_token: "a9", refresh_token: "r9" } };
    };
    await backEnd({
      ...ended,
      "/api/accounts/user/": () =>
        person === null ? problem(401, "UNAUTHENTICATED") : { status: 200, body: person },
      "/api/accounts/login/": () => signIn(),
    });
    keepTokens();
    runningExam.keep(1, user);
    start(EXAM);
    await ensureUser();
    person = null;
    await expect(sessionApi.user()).rejects.toMatchObject({ status: 401 });
    return { signIn };
  }

  test("the page stays, and asks for a login", async () => {
    await examWithoutSession();
    expect(navigate).not.toHaveBeenCalled();
    expect(sessionStore.get()).toEqual({ user, loggedIn: true });
    expect(sessionEnd.get()).toBe("ended");
    expect(keptTokens()).toBeNull();
    expect(loginReason.read()).toBeNull();
  });

  test("the same person signs in again in place", async () => {
    await examWithoutSession();
    await loginAgain("secret");
    expect(sessionEnd.get()).toBeNull();
    expect(keptTokens()).toMatchObject({ access_token: "a9", refresh_token: "r9" });
    await expect(sessionApi.user()).resolves.toEqual(user);
    expect(navigate).not.toHaveBeenCalled();
  });

  test("a login of the same person in another tab resumes the exam", async () => {
    const { signIn } = await examWithoutSession();
    signIn();
    keepTokens({ access_token: "a8" });
    fromAnotherTab();
    await expect.poll(() => sessionEnd.get()).toBeNull();
    expect(navigate).not.toHaveBeenCalled();
  });

  test("a login of another person in another tab closes the exam", async () => {
    const { signIn } = await examWithoutSession();
    signIn({ ...user, id: "u2" });
    keepTokens({ access_token: "a8" });
    fromAnotherTab();
    await expect.poll(() => navigate.mock.calls).toEqual([["/login"]]);
    expect(sessionStore.get().user).toBeNull();
  });

  test("a session that ends in another tab does not close the exam", async () => {
    await backEnd();
    keepTokens();
    runningExam.keep(1, user);
    start(EXAM);
    await ensureUser();
    localStorage.removeItem(TOKENS_KEY);
    fromAnotherTab();
    expect(sessionEnd.get()).toBe("signedOut");
    expect(navigate).not.toHaveBeenCalled();
  });

  test("a sign-out in another tab closes the exam", async () => {
    await backEnd();
    keepTokens();
    runningExam.keep(1, user);
    start(EXAM);
    await ensureUser();
    runningExam.forget();
    localStorage.removeItem(TOKENS_KEY);
    fromAnotherTab();
    expect(navigate).toHaveBeenCalledWith("/login");
    expect(sessionStore.get().user).toBeNull();
  });
});
