import { readFile } from "node:fs/promises";
import type { Snapshot } from "../src/siteSnapshot.ts";
import { places } from "./places.ts";

/** Reads the exported content. Throws with instructions if it is missing. */
export async function readSnapshot(file = places.snapshot): Promise<Snapshot> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    throw new Error(
      `There is no content at ${file}. Start the product and run: npm run snapshot -- --api http://127.0.0.1:8080`,
    );
  }
  const snapshot = JSON.parse(text) as Snapshot;
  if (!snapshot.catalogue?.courses?.length) {
    throw new Error(`The content at ${file} holds no course. Export it again.`);
  }
  if (snapshot.desk === undefined) {
    throw new Error(`The content at ${file} is from a version without notices. Export it again.`);
  }
  if (snapshot.exam === undefined) {
    throw new Error(
      `The content at ${file} is from before there were mock exams. Export it again.`,
    );
  }
  return snapshot;
}

/** The counts of a snapshot's entries. */
export function inWords({ catalogue, desk, exam }: Snapshot): string {
  return `${catalogue.courses.length} courses, ${desk.notices.length} notices, ${desk.faqs.length} answers, ${exam.exams.length} mock exams, ${exam.checks.length} free checks`;
}

/** A copy of the value with the keys of every object in alphabetical order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, ordered(inner)] as const);
  return Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** The text of a snapshot. The same content always gives the same bytes. */
export function writeText(snapshot: Snapshot): string {
  return `${JSON.stringify(ordered(snapshot), null, 1)}\n`;
}

/** Runs a script. A failure prints one line and ends the process. */
export async function run(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
    process.exitCode = 1;
  }
}
