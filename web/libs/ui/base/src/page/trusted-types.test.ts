import { expect, test } from "vitest";
import { examWorkerOnly, plainTextOnly } from "./trusted-types";

test("a stylesheet may be written as text", () => {
  const css = ":root{--a:#fff}@media (max-width:37.4em){.b>*{display:none}}";
  expect(plainTextOnly(css)).toBe(css);
});

test.each(["<img src=x onerror=alert(1)>", "</style><script>", "a<b"])(
  "text that could become an element is refused: %s",
  (text) => {
    expect(() => plainTextOnly(text)).toThrow(TypeError);
  },
);

test("the worker of a running exam is the only script that is named by its address", () => {
  expect(examWorkerOnly("/exam-worker.js")).toBe("/exam-worker.js");
  for (const url of ["/other.js", "https://evil.example/exam-worker.js", "exam-worker.js"])
    expect(() => examWorkerOnly(url)).toThrow(TypeError);
});
