/** Holds pages to their budgets: the JavaScript that they load, as sent with brotli. */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Manifest, pageAssets } from "./assets.ts";
import { places } from "./places.ts";
import { run } from "./snapshot-file.ts";

/** A page that may load only so much. */
interface Budget {
  path: string;
  kb: number;
  /** The source files of the screen, where they are loaded beside what every page loads. */
  modules?: readonly string[];
}

const budgets: readonly Budget[] = [
  { path: "/", kb: 135 },
  // With the player, and with hls.js, which is loaded after the first paint.
  {
    path: "/lecture/:id",
    kb: 300,
    modules: ["libs/learning/src/lecture/LectureScreen.tsx", "libs/ui/base/src/video/hls.ts"],
  },
];

/** What the page loads at once: its module scripts and those announced ahead. */
const SCRIPTS =
  /<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+\.js)"/g;

async function bytesOf(scripts: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const path of scripts) {
    const file = join(places.client, path);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  return bytes;
}

await run(async () => {
  const html = await readFile(join(places.client, "index.html"), "utf8");
  const front = [...html.matchAll(SCRIPTS)].map(([, path]) => path ?? "");
  if (front.length === 0) throw new Error("The front page loads no script.");
  const manifest = JSON.parse(
    await readFile(join(places.client, ".vite/manifest.json"), "utf8"),
  ) as Manifest;
  for (const { path, kb, modules = [] } of budgets) {
    const own = pageAssets(manifest, modules).scripts;
    const scripts = [...new Set([...front, ...own])];
    const bytes = await bytesOf(scripts);
    const size = `${(bytes / 1000).toFixed(1)} kB brotli in ${scripts.length} files`;
    if (bytes > kb * 1000)
      throw new Error(`JavaScript for ${path} is ${size}; at most ${kb} kB are allowed.`);
    console.log(`javascript for ${path}: ${size} of ${kb} kB`);
  }
  // Nobody asks for it any more.
  await rm(join(places.client, ".vite"), { recursive: true });
});
