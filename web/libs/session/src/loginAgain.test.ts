import { expect, test } from "vitest";
import { loginAgain } from "./loginAgain";
import { sessionApi } from "./sessionApi";
import { sessionEnd } from "./state";
import { keptTokens } from "./testing";
import { endDuringExam, testSession, user } from "./testing-session";

const { navigate, start } = testSession();

test("the same person signs in again in place", async () => {
  await endDuringExam(start);
  await loginAgain("secret");
  expect(sessionEnd.get()).toBeNull();
  expect(keptTokens()).toMatchObject({ access_token: "a9", refresh_token: "r9" });
  await expect(sessionApi.user()).resolves.toEqual(user);
  expect(navigate).not.toHaveBeenCalled();
});
