import { globSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

test("every file name is used once, so a search for it finds one file", () => {
  const files = globSync("{apps,libs,libs/ui}/*/{src,scripts,tests,fixtures}/**/*.{ts,tsx,css}");
  const named = files.filter((file) => basename(file) !== "index.ts");
  const groups = Object.values(Object.groupBy(named, (file) => basename(file)));
  expect(groups.filter((group = []) => group.length > 1)).toEqual([]);
});
