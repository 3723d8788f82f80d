import { expect, test } from "vitest";
import { withoutFunctions } from "./unused-router.ts";

test("a call of an emptied function throws, and the other functions stay", () => {
  const code =
    "function a() { return b(1); }\nconst o = { f() { async function b(x) { return x; } return b; } };";
  expect(withoutFunctions(code, ["b"])).toBe(
    'function a() { return b(1); }\nconst o = { f() { async function b(x) {throw Error("unused-router")} return b; } };',
  );
});

test("a function that the router no longer has is an error", () => {
  expect(() => withoutFunctions("function a() {}", ["a", "b"])).toThrow("no b any more");
  expect(() => withoutFunctions("function a() {}\n{ function a() {} }", ["a"])).toThrow("two");
});
