import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const SITE = join(import.meta.dirname, "..");
const EXAMS = join(SITE, "../../../services/exam/demo/exams");
/** Prerendered pages are made from this file alone. */
const SNAPSHOT = join(SITE, "content/snapshot.json");

/** The first line of each text field of that name in a paper. */
function textsIn(paper: string, field: string): string[] {
  const found = paper.matchAll(new RegExp(`^ +${field}: (?:\\|-?\\n +)?(.{8,})$`, "gm"));
  return [...found].map(([, text = ""]) => text);
}

test("no prerendered page has a question or an explanation of an exam", () => {
  const papers = globSync(`${EXAMS}/*/*.yaml`).map((path) => readFileSync(path, "utf8"));
  const secrets = papers.flatMap((paper) => [
    ...textsIn(paper, "prompt"),
    ...textsIn(paper, "explanation"),
  ]);
  expect(secrets.length).toBeGreaterThan(300);
  const texts: string[] = [];
  JSON.parse(readFileSync(SNAPSHOT, "utf8"), (_, value: unknown) => {
    if (typeof value === "string") texts.push(value);
    return value;
  });
  expect(texts.length).toBeGreaterThan(1000);
  const all = texts.join("\n");
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});
