import { expect, test } from "vitest";
import { plainText, readProse } from "./read";

const text = `はじめの段落。
その続き。

## 準備するもの
- 筆記用具
- [時間割](/mypage)と水

くわしくは[こちら](https://example.jp/a?b=1)へ。`;

test("paragraphs, headings, lists and links are recognised", () => {
  expect(readProse(text)).toEqual([
    { kind: "paragraph", at: 0, line: ["はじめの段落。その続き。"] },
    { kind: "heading", at: 3, line: ["準備するもの"] },
    {
      kind: "list",
      at: 4,
      lines: [["筆記用具"], [{ words: "時間割", to: "/mypage" }, "と水"]],
    },
    {
      kind: "paragraph",
      at: 7,
      line: ["くわしくは", { words: "こちら", to: "https://example.jp/a?b=1" }, "へ。"],
    },
  ]);
});

test.each([
  "[x](javascript:alert(1))",
  "[x](//evil.example)",
  "[x](/\\evil.example)",
  "[x](http://example.jp)",
  "[x](data:text/html,x)",
  "<b>x</b>",
  "[x] (/a)",
])("%s is text and not a link", (typed) => {
  expect(readProse(typed)).toEqual([{ kind: "paragraph", at: 0, line: [typed] }]);
});

test("an empty text has no blocks", () => {
  expect(readProse("\n \n")).toEqual([]);
});

test("a description has the text without its marks", () => {
  expect(plainText(text)).toBe(
    "はじめの段落。その続き。 準備するもの 筆記用具 時間割と水 くわしくはこちらへ。",
  );
});
