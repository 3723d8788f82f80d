import { relative } from "node:path/posix";

/** The folder that the manifest names files from. */
const SITE = "apps/site";

/** One entry of Vite's manifest, as far as it is read here. */
interface ManifestEntry {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
}

export type Manifest = Readonly<Record<string, ManifestEntry>>;

/** What a page loads beside the entry. */
export interface PageAssets {
  readonly scripts: readonly string[];
  readonly stylesheets: readonly string[];
  /** The tags that announce them in the head. */
  readonly tags: string;
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

/**
 * The files of a screen that the template does not load already.
 *
 * @param modules the screen's source files from the workspace's root, e.g. `libs/catalog/src/…`
 */
export function pageAssets(manifest: Manifest, modules: readonly string[]): PageAssets {
  const loaded = new Set<string>();
  closure(manifest, "index.html", loaded);
  const wanted = new Set<string>();
  for (const module of modules) closure(manifest, relative(SITE, module), wanted);
  const entries = [...wanted.difference(loaded)].map((key) => entryOf(manifest, key));
  const scripts = entries.map(({ file }) => `/${file}`);
  const stylesheets = [...new Set(entries.flatMap(({ css }) => css ?? []))].map((css) => `/${css}`);
  const tags = [
    ...stylesheets.map((href) => `<link rel="stylesheet" crossorigin href="${href}">`),
    ...scripts.map((href) => `<link rel="modulepreload" crossorigin href="${href}">`),
  ].join("");
  return { scripts, stylesheets, tags };
}
