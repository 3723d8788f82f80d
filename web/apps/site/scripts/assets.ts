import { relative } from "node:path/posix";

/** The folder that the manifest names files from. */
const SITE = "apps/site";

/** One entry of Vite's manifest, as far as it is read here. */
interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly isEntry?: boolean;
}

export type Manifest = Readonly<Record<string, ManifestEntry>>;

/** What a page loads beside the entry. */
export interface PageAssets {
  readonly scripts: readonly string[];
  readonly stylesheets: readonly string[];
  /** The tags that announce the scripts. */
  readonly scriptTags: string;
  /** The tags that link the stylesheets; they belong behind those of the template, whose styles they change. */
  readonly styleTags: string;
}

/** The entry of this key, e.g. a source file from the site's root; the build must have it. */
export function entryOf(manifest: Manifest, key: string): ManifestEntry {
  const entry = manifest[key];
  if (entry === undefined) throw new Error(`The build has no file for ${key}.`);
  return entry;
}

/** A manifest entry with everything that it imports at once, each file one time. */
function closure(manifest: Manifest, key: string, seen: Set<string>): void {
  if (seen.has(key)) return;
  seen.add(key);
  for (const imported of entryOf(manifest, key).imports ?? []) closure(manifest, imported, seen);
}

/** The manifest's key of a source file, which is given from the workspace's root. */
function keyOf(module: string): string {
  return relative(SITE, module);
}

/**
 * The scripts that a page runs without anybody's doing: its own, and all parts that these import later, as long as
 * `isOnDemand` does not say of a part that it waits for somebody to reach for it.
 *
 * @param modules the source files of the page's screen, from the workspace's root
 * @param isOnDemand is given the manifest's key of a part
 */
export function loadedScripts(
  manifest: Manifest,
  modules: readonly string[],
  isOnDemand: (key: string) => boolean,
): readonly string[] {
  const keys = new Set<string>();
  for (const key of ["index.html", ...modules.map(keyOf)]) closure(manifest, key, keys);
  // A set that grows while it is walked is walked to its end.
  for (const key of keys)
    for (const part of entryOf(manifest, key).dynamicImports ?? [])
      if (!isOnDemand(part)) closure(manifest, part, keys);
  return [...keys].map((key) => `/${entryOf(manifest, key).file}`);
}

/** The files that entries load at once, as paths of the site. */
function filesOf(manifest: Manifest, entryKeys: readonly string[]) {
  const keys = new Set<string>();
  for (const key of entryKeys) closure(manifest, key, keys);
  const entries = [...keys].map((key) => entryOf(manifest, key));
  return {
    scripts: new Set(entries.map(({ file }) => `/${file}`)),
    // Several chunks may name one stylesheet: what belongs to a group of the build is named by each that uses it.
    stylesheets: new Set(entries.flatMap(({ css }) => css ?? []).map((css) => `/${css}`)),
  };
}

function linkTags(rel: "modulepreload" | "stylesheet", files: readonly string[]): string {
  return files.map((href) => `<link rel="${rel}" crossorigin href="${href}">`).join("");
}

/**
 * The files of a screen that the template does not load already.
 *
 * @param modules the source files of the screen from the workspace's root, e.g. `libs/catalog/src/…`
 */
export function pageAssets(manifest: Manifest, modules: readonly string[]): PageAssets {
  const loaded = filesOf(manifest, ["index.html"]);
  const wanted = filesOf(manifest, modules.map(keyOf));
  const scripts = [...wanted.scripts.difference(loaded.scripts)];
  const stylesheets = [...wanted.stylesheets.difference(loaded.stylesheets)];
  return {
    scripts,
    stylesheets,
    scriptTags: linkTags("modulepreload", scripts),
    styleTags: linkTags("stylesheet", stylesheets),
  };
}
