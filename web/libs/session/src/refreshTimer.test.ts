import { connectApi } from "@konomana/http";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { createDraft } from "./drafts";
import { ensureUser } from "./signedInUser";
import { login } from "./signIn";
import { leave } from "./signOut";
import { keepTokens, keptTokens } from "./testing";
import { fromAnotherTab, list, testSession, user } from "./testing-session";
import { ACCESS_LIFETIME_S } from "./tokens";
import { TOKENS_KEY } from "./tokenStorage";

const { navigate, start } = testSession();

beforeEach(() => {
  vi.useFakeTimers();
  let count = 1;
  vi.stubGlobal("fetch", async (url: string) => {
    if (/login|refresh/.test(url))
      return Response.json({ access_token: `a${++count}`, refresh_token: `r${count}` });
    return Response.json({ ...user, ...list });
  });
  connectApi({ baseUrl: "http://api.invalid" });
});

const keepForAnHour = () => keepTokens({ access_expires_at: Date.now() + 3_600_000 });

describe("spec §4: When the access token has expired and a refresh token exists, it is refreshed automatically", () => {
  test("a minute before its expiry, without any call", async () => {
    keepForAnHour();
    start();
    await vi.advanceTimersByTimeAsync(3_539_000);
    expect(keptTokens()?.access_token).toBe("a1");
    await vi.advanceTimersByTimeAsync(2000);
    expect(keptTokens()?.access_token).toBe("a2");
  });

  test("after a login, and after each refresh", async () => {
    start();
    await login({ email: "adult@demo.example", password: "demo" });
    expect(keptTokens()?.access_token).toBe("a2");
    await vi.advanceTimersByTimeAsync((ACCESS_LIFETIME_S - 59) * 1000);
    expect(keptTokens()?.access_token).toBe("a3");
    await vi.advanceTimersByTimeAsync((ACCESS_LIFETIME_S - 59) * 1000);
    expect(keptTokens()?.access_token).toBe("a4");
  });
});

describe("no refresh follows a sign-out, so the next visitor's draft stays", () => {
  test.each([
    ["here", () => leave()],
    [
      "in another tab",
      async () => {
        localStorage.removeItem(TOKENS_KEY);
        fromAnotherTab();
      },
    ],
  ])("%s", async (_, signOut) => {
    keepForAnHour();
    start();
    await ensureUser();
    await signOut();
    const draft = createDraft<{ text: string }>("contact", ["text"]);
    draft.write({ text: "書きかけ" });
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(draft.read()).toEqual({ text: "書きかけ" });
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
  });
});

test("no refresh follows the end of the app's connection", async () => {
  keepForAnHour();
  const stop = start();
  await ensureUser();
  stop();
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(keptTokens()?.access_token).toBe("a1");
});
