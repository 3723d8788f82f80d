import { expect, test } from "vitest";
import { plainTextOnly, workersOnly } from "./trusted-types";

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

test("only service workers are named by their addresses", () => {
  for (const url of ["/exam-worker.js", "/push-worker.js"]) expect(workersOnly(url)).toBe(url);
  for (const url of ["/other.js", "https://evil.example/exam-worker.js", "exam-worker.js"])
    expect(() => workersOnly(url)).toThrow(TypeError);
});
