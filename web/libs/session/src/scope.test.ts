import { describe, expect, test } from "vitest";
import { hasScope } from "./scope";

describe("spec §6: A user has a scope if the scope field is an array containing it or an object with that key", () => {
  test.each([
    [{ scope: ["learner", "guardian"] }, true],
    [{ scope: { learner: true } }, true],
    [{ scope: { learner: false } }, true],
    [{ scope: ["guardian"] }, false],
    [{ scope: {} }, false],
    [{ scope: "learner" }, false],
    [{ scope: null }, false],
    [{}, false],
    [null, false],
  ])("%j: %s", (user, expected) => {
    expect(hasScope(user, "learner")).toBe(expected);
  });

  test("inherited properties of an object are no scopes", () => {
    expect(hasScope({ scope: {} }, "toString")).toBe(false);
  });
});
