import { ApiError } from "@konomana/http";
import { problem } from "@konomana/http/testing";
import { describe, expect, test, vi } from "vitest";
import { replaceTokens } from "./replaceTokens";
import { ensureUser } from "./signedInUser";
import { sessionStore } from "./state";
import { keepTokens, keptTokens } from "./testing";
import { backEnd, pathsOf, testSession, user } from "./testing-session";

const { navigate, start } = testSession();

describe("a call that ends every session and gives the tokens of a new one", () => {
  const given = { access_token: "a5", refresh_token: "r5" };

  test("keeps the person signed in with the new ones", async () => {
    await backEnd();
    keepTokens();
    start();
    await ensureUser();
    await replaceTokens(async (token) => {
      expect(token).toBe("a1");
      return given;
    });
    expect(keptTokens()).toMatchObject(given);
    expect(sessionStore.get().user).toEqual(user);
  });

  test("makes a refresh wait, which then uses the new ones", async () => {
    const { received } = await backEnd({
      "/api/accounts/user/": ({ headers }) =>
        headers.authorization === "Bearer a5" ? { body: user } : problem(401, "UNAUTHENTICATED"),
      "/api/accounts/token/refresh/": () => problem(401, "REFRESH_DEAD"),
    });
    keepTokens();
    start();
    const answer = Promise.withResolvers<typeof given>();
    const replaced = replaceTokens(() => answer.promise);
    const known = ensureUser();
    await vi.waitFor(() => expect(pathsOf(received)).toContain("/api/accounts/user/"));
    answer.resolve(given);
    await replaced;
    await expect(known).resolves.toEqual(user);
    expect(pathsOf(received)).not.toContain("/api/accounts/token/refresh/");
    expect(navigate).not.toHaveBeenCalled();
  });

  test("refreshes once if its token is refused, and passes on any other error", async () => {
    await backEnd();
    keepTokens();
    start();
    const sent: string[] = [];
    const refused = new ApiError({ status: 401, code: "UNAUTHENTICATED", traceId: "" });
    await replaceTokens(async (token) => {
      sent.push(token);
      if (token === "a1") throw refused;
      return given;
    });
    expect(sent).toEqual(["a1", "a2"]);
    const wrong = new ApiError({ status: 400, code: "BAD_CREDENTIALS", traceId: "" });
    await expect(replaceTokens(() => Promise.reject(wrong))).rejects.toBe(wrong);
    expect(keptTokens()).toMatchObject(given);
  });
});
