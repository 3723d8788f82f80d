import { describe, expect, test } from "vitest";
import { safeParse } from "valibot";
import { credentialsSchema } from "./credentials";

/** The sentence beside the e-mail field; null where the address is taken. */
const complaint = (email: string) =>
  safeParse(credentialsSchema, { email, password: "p" }).issues?.[0].message ?? null;

describe("the e-mail address", () => {
  test.each([
    "adult@demo.example",
    "a..b@docomo.ne.jp",
    ".a.@ezweb.ne.jp",
    "first+tag@sub.example.co.jp",
    "  adult@demo.example　",
    `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(60)}.jp`,
  ])("%j is taken", (email) => {
    expect(complaint(email)).toBeNull();
  });

  test.each([
    "adult",
    "adult@",
    "@demo.example",
    "adult@demo",
    "adult@demo.",
    "adult@-demo.example",
    "a b@demo.example",
    "ａdult@demo.example",
    "adult@demo..example",
    `${"a".repeat(250)}@b.jp`,
  ])("%j is refused", (email) => {
    expect(complaint(email)).toBe("メールアドレスの形式が正しくありません。");
  });

  test.each(["", "   ", "　"])("%j is no address at all", (email) => {
    expect(complaint(email)).toBe("メールアドレスを入力してください。");
  });
});

test("a password only has to be there: the server judges it", () => {
  const email = "adult@demo.example";
  expect(safeParse(credentialsSchema, { email, password: "x" }).success).toBe(true);
  expect(safeParse(credentialsSchema, { email, password: "" }).issues?.[0].message).toBe(
    "パスワードを入力してください。",
  );
});

test("surrounding spaces belong to a password and not to an address", () => {
  const { output } = safeParse(credentialsSchema, { email: " a@b.jp ", password: " p " });
  expect(output).toEqual({ email: "a@b.jp", password: " p " });
});
