import { describe, expect, test } from "vitest";
import { SessionOver } from "./refresh";
import { restorePath } from "./returnPath";
import { ensureUser } from "./signedInUser";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, pathsOf, testSession } from "./testing-session";

const { navigate, start } = testSession();

test("spec §4: When the access token has expired and a refresh token exists, it is refreshed automatically before the call goes out", async () => {
  keepTokens({ access_expires_at: Date.now() - 1 });
  const { received } = await backEnd();
  start();
  await ensureUser();
  expect(pathsOf(received).slice(0, 2)).toEqual([
    "/api/accounts/token/refresh/",
    "/api/accounts/user/",
  ]);
  expect(received[1]?.headers.authorization).toBe("Bearer a2");
});

describe("spec §4: When the refresh token has also expired, the session is reset and the request is aborted", () => {
  test("a private page is replaced by the login", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    const { received } = await backEnd();
    start();
    await expect(ensureUser()).rejects.toBeInstanceOf(SessionOver);
    expect(received).toHaveLength(0);
    expect(keptTokens()).toBeNull();
    expect(navigate).toHaveBeenCalledExactlyOnceWith("/login");
    expect(restorePath()).toBe("/mypage/course?page=2");
  });

  test("a public page stays open", async () => {
    keepTokens({ access_expires_at: 0, refresh_expires_at: 0 });
    await backEnd();
    start("/course/101");
    await ensureUser().catch(() => {});
    expect(keptTokens()).toBeNull();
    expect(navigate).not.toHaveBeenCalled();
  });
});
