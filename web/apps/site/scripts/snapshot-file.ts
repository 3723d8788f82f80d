import { readFile } from "node:fs/promises";
import type { Snapshot } from "@konomana/catalog/snapshot";
import { places } from "./places.ts";

/** Reads the exported catalogue; a build without it ends here, with what to do. */
export async function readSnapshot(): Promise<Snapshot> {
  let text: string;
  try {
    text = await readFile(places.snapshot, "utf8");
  } catch {
    throw new Error(
      `There is no catalogue at ${places.snapshot}. Start the product and run: npm run snapshot -- --api http://127.0.0.1:8080`,
    );
  }
  const snapshot = JSON.parse(text) as Snapshot;
  if (!Array.isArray(snapshot.courses) || snapshot.courses.length === 0) {
    throw new Error(`The catalogue at ${places.snapshot} holds no course. Export it again.`);
  }
  return snapshot;
}

/** Runs a script and ends the process with one clear line where it fails. */
export async function run(script: () => Promise<void>): Promise<void> {
  try {
    await script();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof Error && error.cause !== undefined) console.error(error.cause);
    process.exitCode = 1;
  }
}
