import { expect, test } from "vitest";
import { toInlineJson } from "./page-data";

test("data can't end the element it stands in", () => {
  const value = { name: "</script><script>alert(1)</script>", note: "<!-- " };
  expect(toInlineJson(value)).not.toContain("<");
  expect(JSON.parse(toInlineJson(value))).toEqual(value);
});
