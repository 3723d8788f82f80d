import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

/**
 * Allowed dependencies between kinds of packages. The kind is in `nx.tags` of each package.json.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  "type:util": ["type:util"],
  "type:data": ["type:util", "type:data"],
  "type:ui": ["type:util", "type:ui"],
  "type:ui-kit": ["type:util", "type:ui"],
  "type:shared": ["type:util", "type:data", "type:ui", "type:ui-kit", "type:shared"],
  "type:domain": ["type:util", "type:data", "type:ui", "type:ui-kit", "type:shared"],
  "type:app": ["type:util", "type:data", "type:ui", "type:ui-kit", "type:shared", "type:domain"],
  "type:e2e": ["type:util"],
};

interface Package {
  readonly name: string;
  readonly nx?: { readonly tags: readonly string[] };
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const IMPORT = /(?:from |import[ (])"(\.[\w./-]+|(?:@[\w-]+\/)?[\w-][\w.-]*)/g;

const readPackage = (folder: string) =>
  JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Package;
const folders = globSync("{apps,libs,libs/ui}/*/package.json").map(dirname);
const kinds = new Map(folders.map(readPackage).map(({ name, nx }) => [name, nx?.tags[0] ?? ""]));
const tools = Object.keys(readPackage(".").devDependencies ?? {});

/** The packages that a folder's sources import, and the relative imports outside the folder. */
function findImports(folder: string): string[] {
  return globSync(`${folder}/{*,{src,scripts,tests,fixtures}/**/*}.{ts,tsx}`).flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(IMPORT)]
      .map(([, name = ""]) => (name.startsWith(".") ? join(dirname(file), name) : name))
      .filter((name) => name !== "node" && !name.startsWith(folder)),
  );
}

/** Dependencies of a build that no source imports. */
const unimported: Readonly<Record<string, readonly string[]>> = {
  // The console's build is compressed with the site's, and a font file is read by its path.
  "@konomana/site": ["@konomana/console", "@expo-google-fonts/biz-udpgothic"],
  "@konomana/http": ["openapi-typescript", "typescript"],
};

test.each(folders)("%s depends on allowed kinds and imports what it declares", (folder) => {
  const { name, dependencies = {}, devDependencies = {} } = readPackage(folder);
  const declared = Object.keys(dependencies);
  const ownTools = Object.keys(devDependencies);
  const mayImport = [name, ...declared, ...ownTools, ...tools];
  const imported = new Set(findImports(folder));
  expect(imported.difference(new Set(mayImport))).toEqual(new Set());
  const needed = new Set([...imported, ...(unimported[name] ?? [])]);
  expect(new Set([...declared, ...ownTools]).difference(needed)).toEqual(new Set());
  const kind = kinds.get(name) ?? "";
  const mayDeclare = (to: string) => allowed[kind]?.includes(kinds.get(to) ?? "type:util");
  expect(declared.filter((to) => !mayDeclare(to))).toEqual([]);
});
