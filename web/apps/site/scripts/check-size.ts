/** Holds pages to their budgets, as sent with brotli: the HTML, and all JavaScript that a page loads by itself. */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { entryOf, loadedScripts, type Manifest } from "./assets.ts";
import { places } from "./places.ts";
import { run } from "./snapshot-file.ts";

/** What a page may load; sizes in kB of 1000 bytes. */
interface Budget {
  readonly path: string;
  /** Where the page has a file of its own. */
  readonly html?: { readonly file: string; readonly kb: number };
  readonly scripts: number;
  /** The source files of the screen, from the workspace's root. */
  readonly modules: readonly string[];
}

const budgets: readonly Budget[] = [
  {
    path: "/",
    html: { file: "index.html", kb: 18 },
    scripts: 114,
    modules: ["libs/catalog/src/index.ts", "libs/catalog/src/home/HomeScreen.tsx"],
  },
  {
    path: "/lecture/:id",
    // With the player and hls.js, which are loaded after the first paint.
    scripts: 300,
    modules: [
      "libs/learning/src/index.ts",
      "libs/learning/src/lecture/LectureScreen.tsx",
      "apps/site/src/shell/layouts/LectureLayout.tsx",
      "apps/site/src/queryClient.tsx",
    ],
  },
];

/** Parts that wait for somebody to reach for them. All others count. */
const ON_DEMAND = [
  // Other domains and screens, with their data, layouts and queries.
  /\/src\/index\.ts$/,
  /Screen\.tsx?$/,
  /\/list\/loadLists\.ts$/,
  /(?:\/search\/find\.ts$|^_find-)/,
  /Layout\.tsx$/,
  /\/queryClient\.tsx$/,
  // What a button opens.
  /\/MenuDialog\.tsx$/,
  /\/catalog\/src\/search\.ts$/,
  // Only for people who are signed in.
  /\/cart\/src\/badge\.ts$/,
  // Only where a text has formulas.
  /\/tex\/draw\.ts$/,
  // Only within a day before a maintenance.
  /\/WindowNotice\.tsx$/,
];

function isOnDemand(key: string): boolean {
  return ON_DEMAND.some((pattern) => pattern.test(key));
}

/** The bytes of files of the build, as they are sent. */
async function sentBytes(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of files) {
    const file = join(places.client, path);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  return bytes;
}

async function check(what: string, files: readonly string[], kb: number): Promise<void> {
  const bytes = await sentBytes(files);
  const size = `${(bytes / 1000).toFixed(1)} kB brotli in ${files.length} files`;
  if (bytes > kb * 1000) throw new Error(`${what} is ${size}; at most ${kb} kB are allowed.`);
  console.log(`${what}: ${size} of ${kb} kB`);
}

await run(async () => {
  const manifest = JSON.parse(
    await readFile(join(places.client, ".vite/manifest.json"), "utf8"),
  ) as Manifest;
  const start = `/${entryOf(manifest, "src/start.ts").file}`;
  for (const { path, html, scripts, modules } of budgets) {
    if (html !== undefined) await check(`html of ${path}`, [html.file], html.kb);
    const loaded = loadedScripts(manifest, modules, isOnDemand);
    await check(`javascript for ${path}`, [start, ...loaded], scripts);
  }
  // Nobody asks for it any more.
  await rm(join(places.client, ".vite"), { recursive: true });
});
