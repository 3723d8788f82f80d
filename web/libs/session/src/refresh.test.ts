import { freshStorage } from "@konomana/testing/storage";
import { problem, serve, type Reply } from "@konomana/http/testing";
import { connectApi } from "@konomana/http";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { renewTokens, SessionOver } from "./refresh";
import { keepTokens, keptTokens, awaitRefreshLock } from "./testing";

beforeEach(() => {
  freshStorage();
  connectApi({ cookies: () => null });
});

afterEach(awaitRefreshLock);

/** One browser tab: its own module instance, with shared storage and locks. */
async function openTab() {
  vi.resetModules();
  const [{ connectApi: connect }, tab] = await Promise.all([
    import("@konomana/http"),
    import("./refresh"),
  ]);
  return { connect, ...tab };
}

/** Answers the nth refresh with a<n+1>, r<n+1>. */
const successors = (_: unknown, count: number): Reply => ({
  body: { access_token: `a${count + 1}`, refresh_token: `r${count + 1}` },
});

describe("single-flight refresh", () => {
  test("16 calls of one tab share one refresh", async () => {
    keepTokens();
    const { received } = await serve(successors);
    const all = await Promise.all(Array.from({ length: 16 }, () => renewTokens("a1")));
    expect(new Set(all.map(({ access_token }) => access_token))).toEqual(new Set(["a2"]));
    expect(received.map(({ path, body }) => [path, body])).toEqual([
      ["/api/accounts/token/refresh/", '{"refresh":"r1"}'],
    ]);
    expect(keptTokens()).toMatchObject({ access_token: "a2", refresh_token: "r2" });
  });

  test("a second tab takes over the freshly stored tokens instead of refreshing again", async () => {
    keepTokens();
    const { origin, received } = await serve(successors);
    const tabs = [await openTab(), await openTab()];
    for (const { connect } of tabs) connect({ baseUrl: origin, cookies: () => null });
    const [first, second] = await Promise.all(tabs.map((tab) => tab.renewTokens("a1")));
    expect(first?.access_token).toBe("a2");
    expect(second?.access_token).toBe("a2");
    expect(received).toHaveLength(1);
  });

  test("a refresh keeps the end of the 30 days", async () => {
    const end = Date.now() + 5000;
    keepTokens({ refresh_expires_at: end });
    await serve(successors);
    await renewTokens("a1");
    expect(keptTokens()?.refresh_expires_at).toBe(end);
  });

  test("tokens that another tab stored during the refresh are taken over, not thrown away", async () => {
    keepTokens();
    await serve(() => {
      keepTokens({ access_token: "a3", refresh_token: "r3" });
      return { body: { access_token: "a2", refresh_token: "r2" } };
    });
    expect((await renewTokens("a1")).access_token).toBe("a3");
    expect(keptTokens()).toMatchObject({ access_token: "a3", refresh_token: "r3" });
  });

  test("a logout during the refresh wins", async () => {
    keepTokens();
    await serve(() => {
      localStorage.clear();
      return { body: { access_token: "a2", refresh_token: "r2" } };
    });
    await expect(renewTokens("a1")).rejects.toBeInstanceOf(SessionOver);
    expect(keptTokens()).toBeNull();
  });
});

describe("spec §8: 'Both token and refresh token have expired. Your request was aborted.'", () => {
  const sentence = "Both token and refresh token have expired. Your request was aborted.";

  test("when the 30 days are over, without asking the server", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: Date.now() });
    const { received } = await serve(successors);
    await expect(renewTokens("a1")).rejects.toThrow(sentence);
    expect(received).toHaveLength(0);
  });

  test("when the server refuses the refresh token", async () => {
    keepTokens();
    await serve(() => problem(401, "REFRESH_DEAD"));
    await expect(renewTokens("a1")).rejects.toThrow(sentence);
  });
});

test("a server that can't be reached does not end the session", async () => {
  keepTokens();
  await serve(() => problem(502, "UPSTREAM_UNAVAILABLE"));
  await expect(renewTokens("a1")).rejects.toMatchObject({ status: 502 });
  expect(keptTokens()).toMatchObject({ refresh_token: "r1" });
});
