/** Holds the front page to its budget: the JavaScript that it loads, as sent with brotli. */
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { places } from "./places.ts";
import { run } from "./snapshot-file.ts";

const BUDGET_KB = 135;
/** What the page loads at once: its module scripts and those announced ahead. */
const SCRIPTS =
  /<(?:script type="module"|link rel="modulepreload")[^>]*(?:src|href)="([^"]+\.js)"/g;

await run(async () => {
  const html = await readFile(join(places.client, "index.html"), "utf8");
  const scripts = [...html.matchAll(SCRIPTS)].map(([, path]) => path ?? "");
  if (scripts.length === 0) throw new Error("The front page loads no script.");
  let bytes = 0;
  for (const path of scripts) {
    const file = join(places.client, path);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  const size = `${(bytes / 1000).toFixed(1)} kB brotli in ${scripts.length} files`;
  if (bytes > BUDGET_KB * 1000) {
    throw new Error(`JavaScript for / is ${size}; at most ${BUDGET_KB} kB are allowed.`);
  }
  console.log(`javascript for /: ${size} of ${BUDGET_KB} kB`);
});
