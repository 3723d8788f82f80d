import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const PIECES = "libs/ui/base/src/theme/pieces.css";
const read = (file: string) => readFileSync(file, "utf8");

const sources = globSync("{apps,libs,libs/ui}/*/src/**/*.{ts,tsx}").map((file) => ({
  file,
  text: read(file),
}));

/** The classes of a stylesheet, ignoring comments, strings and values. */
function classesOf(file: string): Set<string> {
  const css = read(file).replaceAll(/\/\*.*?\*\/|"[^"]*"|:[^;{}]+;/gs, "");
  return new Set([...css.matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name));
}

/** The classes that sources read from a CSS module, as in `styles.row`. */
function takenFrom(module: string): Set<string> {
  const taken = sources.flatMap(({ file, text }) => {
    const [, name, path = ""] =
      [...text.matchAll(/import (\w+) from "(\.[^"]+\.module\.css)"/g)].find(
        ([, , target = ""]) => join(dirname(file), target) === module,
      ) ?? [];
    if (name === undefined || path === "") return [];
    const uses = new RegExp(`\\b${name}(?:\\.(?!module)|\\[")([\\w-]+)`, "g");
    return [...text.matchAll(uses)].map(([, used = ""]) => used);
  });
  return new Set(taken);
}

test.each(globSync("{apps,libs,libs/ui}/*/src/**/*.module.css"))(
  "every class of %s is used, and every used class is defined",
  (module) => {
    expect(takenFrom(module)).toEqual(classesOf(module));
  },
);

test("every piece is used, and every used piece is defined", () => {
  const used = sources.flatMap(({ text }) => text.match(/(?<!-)\bkn-[a-z]+\b/g) ?? []);
  const named = new Set([...classesOf(PIECES)].filter((name) => name.startsWith("kn-")));
  expect(new Set(used)).toEqual(named);
});

test("every property of the theme that is used is defined", () => {
  const sheets = globSync("{apps,libs,libs/ui}/*/src/**/*.css").map(read);
  const texts = [...sheets, ...sources.map(({ text }) => text)];
  const found = (pattern: RegExp) =>
    new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map(([, name = ""]) => name)));
  const used = found(/var\((--kn-[\w-]*\w)[,)]/g);
  const defined = found(/(--kn-[\w-]+)"?\]?:/g);
  expect(used.difference(defined)).toEqual(new Set());
});
