/**
 * Exports the catalogue of a running product for the build: `npm run snapshot -- --api URL`.
 */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Course, CoursePage } from "@konomana/api";
import { places } from "./places.ts";
import { run, writeText } from "./snapshot-file.ts";

async function read<Body>(url: URL): Promise<Body> {
  const response = await fetch(url, { headers: { accept: "application/json" } }).catch(() => {
    throw new Error(`${url.href} can't be reached. Does the product run there?`);
  });
  if (!response.ok) throw new Error(`${url.href} answered ${response.status}.`);
  return (await response.json()) as Body;
}

/** Every course in the order of the list, whole. */
async function readCatalogue(origin: string): Promise<Course[]> {
  const courses: Course[] = [];
  for (let page = 1; ; page += 1) {
    const list = await read<CoursePage>(new URL(`/api/lms/course/?page=${page}`, origin));
    for (const { id } of list.results) {
      courses.push(await read<Course>(new URL(`/api/lms/course/${id}/`, origin)));
    }
    if (list.next === null) return courses;
  }
}

await run(async () => {
  const { values } = parseArgs({ options: { api: { type: "string" } } });
  if (values.api === undefined) throw new Error("Say where the product runs: --api URL");
  const courses = await readCatalogue(values.api);
  await mkdir(dirname(places.snapshot), { recursive: true });
  // Written beside and moved, so that an export cut short leaves the last one whole.
  const draft = `${places.snapshot}.draft`;
  await writeFile(draft, writeText({ courses }));
  await rename(draft, places.snapshot);
  console.log(`catalogue: ${courses.length} courses from ${values.api}`);
});
