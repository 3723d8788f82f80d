import { describe, expect, test } from "vitest";
import { stampTokens, tokenState } from "./tokens";

const now = Date.UTC(2026, 10, 21);
const jwt = (claims: object) =>
  `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
const stamped = (access_token: string, refreshEnd?: number) =>
  stampTokens({ access_token, refresh_token: "r" }, now, refreshEnd);

describe("spec §4: A token is valid, expired or unknown", () => {
  test.each([
    [now + 60_000, "valid"],
    [now - 1, "expired"],
    [null, "unknown"],
    [undefined, "unknown"],
    [Number.NaN, "unknown"],
  ])("%s: %s", (expiresAt, state) => {
    expect(tokenState(expiresAt, now)).toBe(state);
  });

  test("spec §9: expiry safety margin 500 ms", () => {
    expect(tokenState(now + 501, now)).toBe("valid");
    expect(tokenState(now + 500, now)).toBe("expired");
  });
});

test("spec §9: Access token lifetime 86400 s (fallback when the token has no expiry)", () => {
  for (const token of ["opaque", "a.b.c", "", jwt({ sub: "x" })])
    expect(stamped(token).access_expires_at).toBe(now + 86_400_000);
});

test("the lifetime comes from the token, independent of this machine's clock", () => {
  expect(stamped(jwt({ iat: 1000, exp: 1600 })).access_expires_at).toBe(now + 600_000);
});

test("spec §9: refresh token lifetime 2592000 s (30 days)", () => {
  expect(stamped("t").refresh_expires_at).toBe(now + 2_592_000_000);
});

test("a refresh does not extend the 30 days", () => {
  expect(stamped("t", now + 5).refresh_expires_at).toBe(now + 5);
});
