/**
 * Runs Lighthouse for a phone: the scores of the public pages that most people see first, and the
 * accessibility of the learning screens. The product must be running at E2E_BASE_URL; CHROMIUM is
 * the browser. Exits non-zero if a score is below its goal.
 *
 * With the argument `right` only the categories that are right or wrong are measured, once. With
 * `lesson` only the first frame of a lesson is measured. Times need a quiet machine and an optimised
 * build.
 */
import { createServer, type AddressInfo } from "node:net";
import { chromium, type LaunchOptions } from "@playwright/test";
import lighthouse, { type Flags, type Result } from "lighthouse";
import { baseURL, launchOptions } from "../fixtures/chromium.ts";
import { type FirstFrame, firstFrame, learningPaths, signIn } from "./demoLearner.ts";

const PAGES = ["/", "/course", "/course/105", "/teacher/1", "/notice/1"];
const RIGHT_OR_WRONG = process.argv.includes("right");
const ONLY_LESSON = process.argv.includes("lesson");
/** Number of runs per page. The median hides a moment in which the machine is busy. */
const RUNS = RIGHT_OR_WRONG ? 1 : 5;
/** The minimum score of each category, out of 100. */
const GOALS = { performance: 98, accessibility: 100, "best-practices": 100, seo: 100 };

/** The maximum time from a lesson's page to its first frame. */
const FIRST_FRAME_MS = 1500;

type Category = keyof typeof GOALS;
type Scores = Record<Category, number>;
const categories = (Object.keys(GOALS) as Category[]).filter(
  (name) => !(RIGHT_OR_WRONG && name === "performance"),
);

/** A free TCP port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** Launch options of a browser that Lighthouse can connect to. */
function listening(port: number): LaunchOptions {
  return {
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`],
  };
}

/** One load of a page in a new browser with an empty cache. */
async function measure(path: string): Promise<Scores> {
  const port = await freePort();
  const browser = await chromium.launch(listening(port));
  try {
    return await judge(path, { port, onlyCategories: categories });
  } finally {
    await browser.close();
  }
}

/** The measurements of the learning screens. */
interface Learning {
  /** Accessibility scores by path. */
  accessibility: Map<string, number>;
  /** The first frames of a lesson. Empty if not measured. */
  frames: FirstFrame[];
}

async function judgeLearning(): Promise<Learning> {
  const port = await freePort();
  const browser = await chromium.launch(listening(port));
  try {
    // Lighthouse opens its tabs in the browser's default context, so the learner is signed in
    // there.
    const own = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    const page = await own.contexts()[0]?.newPage();
    if (page === undefined) throw new Error("The browser has no default context.");
    await signIn(page, baseURL);
    const paths = await learningPaths(page);
    const frames: FirstFrame[] = [];
    if (!RIGHT_OR_WRONG)
      for (let run = 0; run < RUNS; run += 1) frames.push(await firstFrame(page, baseURL));
    await own.close();

    const accessibility = new Map<string, number>();
    for (const path of ONLY_LESSON ? [] : paths) {
      const flags = { port, onlyCategories: ["accessibility"], disableStorageReset: true };
      accessibility.set(path, (await judge(path, flags)).accessibility);
    }
    return { accessibility, frames };
  } finally {
    await browser.close();
  }
}

/**
 * Waits for a quiet page, in milliseconds, shorter than Lighthouse's. Its long pauses only serve
 * timings.
 */
const QUIET: Flags = {
  networkQuietThresholdMs: 500,
  cpuQuietThresholdMs: 500,
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 0,
};

async function judge(path: string, flags: Flags): Promise<Scores> {
  const url = new URL(path, baseURL).href;
  const isTimed = flags.onlyCategories?.includes("performance");
  const result = await lighthouse(url, { ...(isTimed ? {} : QUIET), ...flags, logLevel: "error" });
  if (result === undefined) throw new Error(`Lighthouse gave no result for ${url}.`);
  const { lhr } = result;
  if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
  if (new URL(lhr.finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${path} leads to ${lhr.finalDisplayedUrl}.`);
  tellFaults(path, lhr);
  const scores = Object.entries(lhr.categories).map(([name, { score }]) => [
    name,
    Math.round((score ?? 0) * 100),
  ]);
  return Object.fromEntries(scores) as Scores;
}

/** Prints the failed audits of a page in all categories except performance. */
function tellFaults(path: string, { categories: judged, audits }: Result): void {
  for (const name of categories.filter((category) => category !== "performance")) {
    for (const { id, weight } of judged[name]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight > 0 && audit?.score === 0) console.log(`${path} ${name}: ${audit.title} (${id})`);
    }
  }
}

/** The median of an odd number of values. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const column = (text: string | number) => String(text).padStart(16);

let missed = 0;

async function judgePages(): Promise<void> {
  console.log("page".padEnd(10) + categories.map(column).join(""));
  for (const path of PAGES) {
    const runs: Scores[] = [];
    for (let run = 0; run < RUNS; run += 1) runs.push(await measure(path));
    const scores = categories.map((name) => median(runs.map((run) => run[name])));
    missed += categories.filter((name, index) => (scores[index] ?? 0) < GOALS[name]).length;
    console.log(path.padEnd(10) + scores.map(column).join(""));
  }
  console.log("goal".padEnd(10) + categories.map((name) => column(GOALS[name])).join(""));
}

if (!ONLY_LESSON) await judgePages();
const learning = await judgeLearning();
if (learning.accessibility.size > 0)
  console.log(`\n${"signed in".padEnd(44)}${column("accessibility")}`);
for (const [path, score] of learning.accessibility) {
  if (score < GOALS.accessibility) missed += 1;
  console.log(path.padEnd(44) + column(score));
}
if (learning.frames.length > 0) {
  const afterLoad = Math.round(median(learning.frames.map((frame) => frame.afterLoad)));
  const afterStart = Math.round(median(learning.frames.map((frame) => frame.afterStart)));
  if (afterLoad > FIRST_FRAME_MS) missed += 1;
  console.log(`a lesson's first frame: ${afterLoad} ms after its page, of ${FIRST_FRAME_MS}`);
  console.log(`(${afterStart} ms after the navigation)`);
}
if (missed > 0) process.exitCode = 1;
