import { relative } from "node:path/posix";

/** The folder to which paths in the manifest are relative. */
const SITE = "apps/site";

/** The key of hls.js with its settings in the manifest. */
export const HLS = "../../libs/ui/base/src/video/hls.ts";

/** An entry of Vite's manifest, with the fields used here. */
interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  /** Fonts and pictures that its stylesheets refer to. */
  readonly assets?: readonly string[];
  readonly imports?: readonly string[];
  readonly dynamicImports?: readonly string[];
  readonly isEntry?: boolean;
}

export type Manifest = Readonly<Record<string, ManifestEntry>>;

/** The assets of a page beyond the entry's. */
export interface PageAssets {
  readonly scripts: readonly string[];
  readonly stylesheets: readonly string[];
  /** The tags that announce the scripts. */
  readonly scriptTags: string;
  /**
   * The tags that link the stylesheets. They must follow the template's links, whose styles they
   * override.
   */
  readonly styleTags: string;
}

/**
 * The manifest entry of a key, e.g. a source file relative to the site's folder. Throws if it is
 * missing.
 */
export function entryOf(manifest: Manifest, key: string): ManifestEntry {
  const entry = manifest[key];
  if (entry === undefined) throw new Error(`The build has no file for ${key}.`);
  return entry;
}

/** Adds a manifest entry and all its static imports, each once. */
function closure(manifest: Manifest, key: string, seen: Set<string>): void {
  if (seen.has(key)) return;
  seen.add(key);
  for (const imported of entryOf(manifest, key).imports ?? []) closure(manifest, imported, seen);
}

/** The manifest key of a source file. The path is relative to the workspace's root. */
function keyOf(module: string): string {
  return relative(SITE, module);
}

/**
 * The scripts that a page loads without a user action: its own, and the chunks that these import
 * dynamically, except those for which `isOnDemand` returns true.
 *
 * @param modules the source files of the page's screen, relative to the workspace's root
 * @param isOnDemand receives the manifest key of a chunk
 */
export function loadedScripts(
  manifest: Manifest,
  modules: readonly string[],
  isOnDemand: (key: string) => boolean,
): readonly string[] {
  return loadedEntries(manifest, modules, isOnDemand).map(({ file }) => `/${file}`);
}

/** Like `loadedScripts`, with stylesheets and the fonts and pictures that they refer to. */
export function loadedFiles(
  manifest: Manifest,
  modules: readonly string[],
  isOnDemand: (key: string) => boolean,
): readonly string[] {
  const files = loadedEntries(manifest, modules, isOnDemand).flatMap(
    ({ file, css = [], assets = [] }) => [file, ...css, ...assets],
  );
  return [...new Set(files)].map((file) => `/${file}`);
}

function loadedEntries(
  manifest: Manifest,
  modules: readonly string[],
  isOnDemand: (key: string) => boolean,
): readonly ManifestEntry[] {
  const keys = new Set<string>();
  for (const key of ["index.html", ...modules.map(keyOf)]) closure(manifest, key, keys);
  // Iterating over a Set includes entries that are added meanwhile.
  for (const key of keys)
    for (const part of entryOf(manifest, key).dynamicImports ?? [])
      if (!isOnDemand(part)) closure(manifest, part, keys);
  return [...keys].map((key) => entryOf(manifest, key));
}

/** The files that entries load statically, as paths of the site. */
function filesOf(manifest: Manifest, entryKeys: readonly string[]) {
  const keys = new Set<string>();
  for (const key of entryKeys) closure(manifest, key, keys);
  const entries = [...keys].map((key) => entryOf(manifest, key));
  return {
    scripts: new Set(entries.map(({ file }) => `/${file}`)),
    // Several chunks may list one stylesheet: each chunk that uses a group of the build lists the
    // group's files.
    stylesheets: new Set(entries.flatMap(({ css }) => css ?? []).map((css) => `/${css}`)),
  };
}

function linkTags(rel: "modulepreload" | "stylesheet", files: readonly string[]): string {
  return files.map((href) => `<link rel="${rel}" crossorigin href="${href}">`).join("");
}

/**
 * The files of a screen that the template does not load.
 *
 * @param modules the source files of the screen relative to the workspace's root, e.g.
 * `libs/catalog/src/…`
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

/** The tags that load hls.js early, with `src/hls-start.ts`. */
export function hlsTags(manifest: Manifest): string {
  const { file } = entryOf(manifest, HLS);
  const start = entryOf(manifest, "src/hls-start.ts").file;
  // The page needs its other scripts earlier than hls.js.
  return (
    `<script type="module" async fetchpriority="high" src="/${start}"></script>` +
    `<link rel="modulepreload" crossorigin fetchpriority="low" media="not all" data-hls href="/${file}">`
  );
}
