/**
 * Checks the size budgets of pages, as sent with brotli: the HTML, and all JavaScript that a page
 * loads without a user action.
 */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as Server from "../src/entry.server.tsx";
import { entryOf, HLS, loadedScripts, type Manifest } from "./assets.ts";
import { isOnDemand } from "./on-demand.ts";
import { places } from "./places.ts";
import { run } from "./snapshot-file.ts";

/** Budgets of the HTML of `/` and of all scripts of a page, in kB of 1000 bytes. */
const HOME_HTML = 18;
const WHOLE: Readonly<Record<string, number>> = {
  "/": 110,
  // Includes the player and hls.js, which load after the first paint.
  "/lecture/:id": 255,
};

/**
 * Budget of a screen beyond the shell (the entry, the screen's layout and the query client), in kB.
 */
const SCREEN = 30;

/** The total size of files of the build as they are sent, in bytes. */
async function sentBytes(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const path of files) {
    const file = join(places.client, path);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  return bytes;
}

/** A row of the printed table. */
interface Row {
  readonly what: string;
  readonly bytes: number;
  /** In kB. */
  readonly budget: number;
}

function print({ what, bytes, budget }: Row): void {
  const used = (bytes / 1000).toFixed(1).padStart(6);
  const mark = isOver({ what, bytes, budget }) ? "  TOO LARGE" : "";
  console.log(`${used} of ${String(budget).padStart(3)} kB  ${what}${mark}`);
}

function isOver({ bytes, budget }: Row): boolean {
  return bytes > budget * 1000;
}

await run(async () => {
  const manifest = JSON.parse(
    await readFile(join(places.client, ".vite/manifest.json"), "utf8"),
  ) as Manifest;
  const server = (await import(places.server)) as typeof Server;
  const start = `/${entryOf(manifest, "src/start.ts").file}`;
  const rows: Row[] = [
    { what: "HTML of /", bytes: await sentBytes(["index.html"]), budget: HOME_HTML },
  ];
  for (const screen of await server.loadAllScreens()) {
    const { pattern, playsVideo } = screen;
    const modules = server.modulesOf(screen);
    const whole = WHOLE[pattern];
    // Without a video at once, hls.js is loaded when the video is played.
    const isLater = (key: string) => isOnDemand(key) || (!playsVideo && key === HLS);
    const scripts = new Set([start, ...loadedScripts(manifest, modules, isLater)]);
    if (playsVideo) scripts.add(`/${entryOf(manifest, "src/hls-start.ts").file}`);
    if (whole !== undefined) {
      const what = `${pattern}, all scripts`;
      rows.push({ what, bytes: await sentBytes(scripts), budget: whole });
      continue;
    }
    const base = modules.filter((module) => /(?:Layout|\/queryClient)\.tsx$/.test(module));
    const shell = new Set([start, ...loadedScripts(manifest, base, isLater)]);
    const added = scripts.difference(shell);
    const what = `${pattern}, beside the shell`;
    rows.push({ what, bytes: await sentBytes(added), budget: SCREEN });
  }
  for (const row of rows.toSorted((a, b) => b.bytes - a.bytes)) print(row);
  const over = rows.filter(isOver);
  if (over.length > 0)
    throw new Error(`Over their budgets: ${over.map(({ what }) => what).join("; ")}.`);
  // The manifest is not needed any more.
  await rm(join(places.client, ".vite"), { recursive: true });
});
