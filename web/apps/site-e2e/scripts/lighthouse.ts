/**
 * Lighthouse on a phone, for the public pages that most people see first. The product runs already:
 * E2E_BASE_URL says where, CHROMIUM names the browser. Ends non-zero when a score is under its goal.
 *
 * With the argument `right` only what is right or wrong is judged, once; how fast pages are is left
 * to a quiet machine and an optimised build.
 */
import { createServer, type AddressInfo } from "node:net";
import { chromium } from "@playwright/test";
import lighthouse, { type Result } from "lighthouse";
import { baseURL, launchOptions } from "../fixtures/chromium.ts";

const PAGES = ["/", "/course", "/course/101", "/teacher/1", "/notice/1"];
const RIGHT_OR_WRONG = process.argv.includes("right");
/** How often a page is measured; a machine that is busy once must not decide. */
const RUNS = RIGHT_OR_WRONG ? 1 : 3;
/** The lowest score of each category that is good enough, out of 100. */
const GOALS = { performance: 95, accessibility: 100, "best-practices": 100, seo: 100 };

type Category = keyof typeof GOALS;
type Scores = Record<Category, number>;
const categories = (Object.keys(GOALS) as Category[]).filter(
  (name) => !(RIGHT_OR_WRONG && name === "performance"),
);

/** A port that nobody listens on. */
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

/** One load of a page by a browser of its own: nothing is cached yet, as for somebody who is new. */
async function measure(path: string): Promise<Scores> {
  const port = await freePort();
  const browser = await chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`],
  });
  try {
    const url = new URL(path, baseURL).href;
    const result = await lighthouse(url, { port, onlyCategories: categories, logLevel: "error" });
    if (result === undefined) throw new Error(`Lighthouse gave no result for ${url}.`);
    const { lhr } = result;
    if (lhr.runtimeError) throw new Error(`${url}: ${lhr.runtimeError.message}`);
    tellFaults(path, lhr);
    const scores = categories.map((name) => [
      name,
      Math.round((lhr.categories[name]?.score ?? 0) * 100),
    ]);
    return Object.fromEntries(scores) as Scores;
  } finally {
    await browser.close();
  }
}

/** Says what keeps a page from a full score in the categories that are right or wrong, not fast or slow. */
function tellFaults(path: string, { categories: judged, audits }: Result): void {
  for (const name of categories.filter((category) => category !== "performance")) {
    for (const { id, weight } of judged[name]?.auditRefs ?? []) {
      const audit = audits[id];
      if (weight > 0 && audit?.score === 0) console.log(`${path} ${name}: ${audit.title} (${id})`);
    }
  }
}

/** The middle of an odd number of values. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

const column = (text: string | number) => String(text).padStart(16);

console.log("page".padEnd(10) + categories.map(column).join(""));
let missed = 0;
for (const path of PAGES) {
  const runs: Scores[] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measure(path));
  const scores = categories.map((name) => median(runs.map((run) => run[name])));
  missed += categories.filter((name, index) => (scores[index] ?? 0) < GOALS[name]).length;
  console.log(path.padEnd(10) + scores.map(column).join(""));
}
console.log("goal".padEnd(10) + categories.map((name) => column(GOALS[name])).join(""));
if (missed > 0) process.exitCode = 1;
