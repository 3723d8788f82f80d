import { problem } from "@konomana/http/testing";
import { describe, expect, test } from "vitest";
import { requireAuth } from "./guard";
import { loginReason } from "./loginReason";
import { restorePath } from "./returnPath";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, testSession } from "./testing-session";

const { start } = testSession();

const open = (path: string) => {
  const request = new Request(new URL(path, "http://127.0.0.1:8080"));
  const args = { request, params: {} } as unknown as Parameters<typeof requireAuth>[0];
  return Promise.resolve(requireAuth(args, async () => {}));
};
const answerOf = (path: string) => open(path).catch((thrown: unknown) => thrown as Response);

describe("spec §6: Routes marked auth require a signed-in user; the rule is enforced before the page opens", () => {
  test("a visitor is sent to the login, and the path is remembered", async () => {
    await backEnd();
    start();
    const answer = await answerOf("/mypage/learnning/7?a=1");
    expect(answer).toBeInstanceOf(Response);
    expect((answer as Response).headers.get("location")).toBe("/login");
    expect(restorePath()).toBe("/mypage/learnning/7?a=1");
    expect(loginReason.read()).toBe("needed");
  });

  test("a signed-in user passes", async () => {
    await backEnd();
    keepTokens();
    start();
    await expect(open("/mypage")).resolves.toBeUndefined();
  });

  test("during maintenance the visitor is redirected to the maintenance page", async () => {
    const info = { title: "t", message: "m", starts_at: null, ends_at: null, affected: [] };
    await backEnd({ "/api/accounts/user/": () => ({ status: 503, body: info }) });
    keepTokens();
    start();
    expect(((await answerOf("/mypage")) as Response).headers.get("location")).toBe("/maintenance");
  });

  test("an ended session redirects to the login and shows no error", async () => {
    await backEnd();
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    start();
    expect(((await answerOf("/mypage")) as Response).headers.get("location")).toBe("/login");
    expect(loginReason.read()).toBe("expired");
  });

  test("a failing server does not redirect to the login", async () => {
    await backEnd({ "/api/accounts/user/": () => problem(504, "OUT_OF_TIME") });
    keepTokens();
    start();
    await expect(open("/mypage")).rejects.toMatchObject({ status: 504 });
    expect(keptTokens()).not.toBeNull();
  });
});
