import { describe, expect, test } from "vitest";
import { hasAccount, hasDesiredRank, hasIdentifier, hasQuestion, hasResult } from "./params";

describe("valid path parameters", () => {
  test("a question and a result belong to a lesson", () => {
    expect(hasQuestion({ id: "7", questionId: "70" })).toBe(true);
    expect(hasQuestion({ id: "7", questionId: "x" })).toBe(false);
    expect(hasQuestion({ id: "x", questionId: "70" })).toBe(false);
    expect(hasResult({ id: "7", resultId: "12" })).toBe(true);
    expect(hasResult({ id: "7", resultId: "newest" })).toBe(false);
  });

  test.each(["1", "101", "9007199254740991"])("spec §5: an identifier is valid: %s", (id) => {
    expect(hasIdentifier({ id })).toBe(true);
  });

  test.each(["0", "01", "-1", "1.5", "1e3", "１", "abc", "", "9007199254740993", undefined])(
    "spec §5: an identifier is not valid: %s",
    (id) => {
      expect(hasIdentifier({ id })).toBe(false);
    },
  );

  test("an exam has at most five desired schools", () => {
    expect(hasDesiredRank({ id: "1", desired_rank: "5" })).toBe(true);
    for (const rank of ["0", "6", "01", "１", "x", undefined])
      expect(hasDesiredRank({ id: "1", desired_rank: rank })).toBe(false);
    expect(hasDesiredRank({ id: "x", desired_rank: "1" })).toBe(false);
  });

  test("a child is identified by an account", () => {
    expect(hasAccount({ account: "018f0000-0000-7000-8000-000000000001" })).toBe(true);
    expect(hasAccount({ account: "1" })).toBe(false);
    expect(hasAccount({})).toBe(false);
  });
});
