import { expect, test } from "vitest";
import { withoutFunctions } from "./unused-router.ts";

test("a call of an emptied function throws, and the other functions stay", () => {
  const code =
    "function a() { return b(1); }\nconst o = { f() { async function b(x) { return x; } return b; } };";
  expect(withoutFunctions(code, ["b"])).toBe(
    'function a() { return b(1); }\nconst o = { f() { async function b(x) {throw Error("unused-router")} return b; } };',
  );
});

test("a component that is made of a function is emptied too", () => {
  const code =
    "const F = React.forwardRef((props, ref) => { return g(props); }); const n = f(() => 1);";
  expect(withoutFunctions(code, ["F"])).toBe(
    'const F = React.forwardRef((props, ref) => {throw Error("unused-router")}); const n = f(() => 1);',
  );
});

test("a function that the router no longer has is an error", () => {
  expect(() => withoutFunctions("function a() {}", ["a", "b"])).toThrow("no b any more");
  expect(() => withoutFunctions("function a() {}\n{ function a() {} }", ["a"])).toThrow("two");
});
