import { describe, expect, test, vi } from "vitest";
import { loginReason } from "./loginReason";
import { runningExam } from "./runningExam";
import { ensureUser, USER_KEY } from "./signedInUser";
import { sessionEnd, sessionStore } from "./state";
import { TOKENS_KEY } from "./tokenStorage";
import { keepTokens } from "./testing";
import { backEnd, endDuringExam, EXAM, fromAnotherTab, testSession, user } from "./testing-session";

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

describe("during an exam", () => {
  test("a login of the same person in another tab resumes the exam", async () => {
    const signIn = await endDuringExam(start);
    signIn();
    keepTokens({ access_token: "a8" });
    fromAnotherTab();
    await expect.poll(() => sessionEnd.get()).toBeNull();
    expect(navigate).not.toHaveBeenCalled();
  });

  test("a login of another person in another tab closes the exam", async () => {
    const signIn = await endDuringExam(start);
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

test("other tabs are ignored after the end of the app's connection", async () => {
  const stop = start();
  const [listening] = vi.mocked(addEventListener).mock.calls;
  expect(removeEventListener).not.toHaveBeenCalled();
  stop();
  expect(vi.mocked(removeEventListener).mock.calls).toEqual([listening]);
});
