import { expect, test } from "vitest";
import { linesOf, widthOf } from "./lines";

test("text breaks between words, and no line begins with a character that must follow the one before", () => {
  const lines = linesOf("「わかった」を、ひとつずつ。", 7, 3);
  expect(lines.join("")).toBe("「わかった」を、ひとつずつ。");
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line).not.toMatch(/^[、。」]/);
});

test("half-width characters count as half", () => {
  expect(widthOf("be")).toBeLessThan(widthOf("動詞"));
  expect(linesOf("Konomana Konomana", 10, 3)).toEqual(["Konomana Konomana"]);
});

test("the last line takes the rest", () => {
  expect(linesOf("高1英語 構文と長文の基礎 その続き", 4, 2)).toHaveLength(2);
});
