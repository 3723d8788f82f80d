import { expect, test } from "vitest";
import { piecesOf } from "./pieces";

const words = (text: string) => ({ kind: "words", text });
const tex = (text: string) => ({ kind: "tex", text });

test.each([
  ["明治維新は何年？", [words("明治維新は何年？")]],
  ["$x^2=9$", [tex("x^2=9")]],
  ["$x$と$y$の和", [tex("x"), words("と"), tex("y"), words("の和")]],
  [String.raw`$\frac{1}{2}$は？`, [tex(String.raw`\frac{1}{2}`), words("は？")]],
  ["1個 $5", [words("1個 $5")]],
  [String.raw`\$5と\$6`, [words("$5と$6")]],
  [String.raw`$a\$b$`, [tex(String.raw`a\$b`)]],
  ["$$", [words("$$")]],
  ["$$x^2$$", [tex("x^2")]],
  ["$x$$y$", [tex("x"), tex("y")]],
  ["1行め $a\n2行め b$", [words("1行め $a\n2行め b$")]],
  ["", []],
])("%j", (text, pieces) => {
  expect(piecesOf(text).map(({ kind, text: held }) => ({ kind, text: held }))).toEqual(pieces);
});
