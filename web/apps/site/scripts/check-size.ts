/** Holds pages to their budgets, as sent with brotli: the HTML, and all JavaScript that a page loads by itself. */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type * as Server from "../src/entry.server.tsx";
import { entryOf, loadedScripts, type Manifest } from "./assets.ts";
import { places } from "./places.ts";
import { run } from "./snapshot-file.ts";

/** What the HTML of `/` and all scripts of a page may be; sizes in kB of 1000 bytes. */
const HOME_HTML = 18;
const WHOLE: Readonly<Record<string, number>> = {
  "/": 111,
  // With the player and hls.js, which are loaded after the first paint.
  "/lecture/:id": 300,
};

/** What a screen may add to the shell: the entry, the screen's layout and the query client. In kB. */
const USUAL = 30;
/** With the libraries for forms and their rules. */
const WITH_FORM = 45;
/** Screens that need more than the usual: long lists with filters, and questions. */
const OTHERS: Readonly<Record<string, number>> = {
  "/course": 38,
  "/cart": 38,
  "/cart/confirm": 38,
  "/mypage/recent": 38,
  "/lecture/:id/question/:questionId": 45,
  "/mypage/mockexam/:id/exam": 46,
};
/** Domains whose screens need more than the usual, by their folders. */
const EXAMS = /^libs\/exam\//;

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
  /\/QrCode\.tsx$/,
  // Only for people who are signed in.
  /\/cart\/src\/badge\.ts$/,
  // Only for guardians.
  /\/LinkChild\.tsx$/,
  // Only where a text has formulas.
  /\/tex\/draw\.ts$/,
  // Only within a day before a maintenance.
  /\/WindowNotice\.tsx$/,
];

function isOnDemand(key: string): boolean {
  return ON_DEMAND.some((pattern) => pattern.test(key));
}

/** A video's player for browsers without their own: a lesson fetches it at once, the other screens when it is played. */
const PLAYER = /\/video\/hls\.ts$/;

/** The bytes of files of the build, as they are sent. */
async function sentBytes(files: Iterable<string>): Promise<number> {
  let bytes = 0;
  for (const path of files) {
    const file = join(places.client, path);
    const sent = await stat(`${file}.br`).catch(() => stat(file));
    bytes += sent.size;
  }
  return bytes;
}

/** One line of the table that is printed. */
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
    const { pattern } = screen;
    const modules = server.modulesOf(screen);
    const whole = WHOLE[pattern];
    const isLater = (key: string) => isOnDemand(key) || (whole === undefined && PLAYER.test(key));
    const scripts = new Set([start, ...loadedScripts(manifest, modules, isLater)]);
    if (whole !== undefined) {
      const what = `${pattern}, all scripts`;
      rows.push({ what, bytes: await sentBytes(scripts), budget: whole });
      continue;
    }
    const base = modules.filter((module) => /(?:Layout|\/queryClient)\.tsx$/.test(module));
    const shell = new Set([start, ...loadedScripts(manifest, base, isLater)]);
    const added = scripts.difference(shell);
    const hasForm = [...added].some((file) => /\/forms-[^/]*\.js$/.test(file));
    const isExam = modules.some((module) => EXAMS.test(module));
    const usual = isExam || hasForm ? WITH_FORM : USUAL;
    const budget = OTHERS[pattern] ?? usual;
    rows.push({ what: `${pattern}, beside the shell`, bytes: await sentBytes(added), budget });
  }
  for (const row of rows.toSorted((a, b) => b.bytes - a.bytes)) print(row);
  const over = rows.filter(isOver);
  if (over.length > 0)
    throw new Error(`Over their budgets: ${over.map(({ what }) => what).join("; ")}.`);
  // Nobody asks for it any more.
  await rm(join(places.client, ".vite"), { recursive: true });
});
