/**
 * Exports the content of the public pages from a running product, for the build: `npm run snapshot
 * -- --api URL`.
 */
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import type { Answer } from "@konomana/http";
import { successYears } from "@konomana/paths/success";
import type { Snapshot } from "../src/siteSnapshot.ts";
import { places } from "./places.ts";
import { readApi, readEach, readList } from "./read-api.ts";
import { inWords, run, writeText } from "./snapshot-file.ts";

type SuccessYear = Answer<"GET", "/api/desk/success/{year}/">;

async function readCatalogue(origin: string): Promise<Snapshot["catalogue"]> {
  return {
    courses: await readEach<Answer<"GET", "/api/lms/course/{id}/">>(origin, "/api/lms/course/"),
    teachers: await readEach<Answer<"GET", "/api/lms/teacher/{id}/">>(origin, "/api/lms/teacher/"),
  };
}

async function readDesk(origin: string): Promise<Snapshot["desk"]> {
  const success: SuccessYear[] = [];
  for (const year of successYears) {
    success.push(await readApi<SuccessYear>(new URL(`/api/desk/success/${year}/`, origin)));
  }
  const exams = new URL("/api/desk/entry-exam/", origin);
  return {
    notices: await readEach<Answer<"GET", "/api/desk/notice/{id}/">>(origin, "/api/desk/notice/"),
    faqs: await readEach<Answer<"GET", "/api/desk/faq/{id}/">>(origin, "/api/desk/faq/"),
    success,
    entryExams: (await readApi<Answer<"GET", "/api/desk/entry-exam/">>(exams)).results,
  };
}

async function readExam(origin: string): Promise<Snapshot["exam"]> {
  return {
    exams: await readList(origin, "/api/exam/exam/"),
    checks: await readList(origin, "/api/exam/check/"),
  };
}

await run(async () => {
  const { values } = parseArgs({ options: { api: { type: "string" } } });
  if (values.api === undefined)
    throw new Error("The address of the product is missing: pass --api URL");
  const snapshot: Snapshot = {
    catalogue: await readCatalogue(values.api),
    desk: await readDesk(values.api),
    exam: await readExam(values.api),
  };
  await mkdir(dirname(places.snapshot), { recursive: true });
  // Written to a draft and renamed, so an interrupted export does not damage the last one.
  const draft = `${places.snapshot}.draft`;
  await writeFile(draft, writeText(snapshot));
  await rename(draft, places.snapshot);
  console.log(`snapshot: ${inWords(snapshot)} from ${values.api}`);
});
