import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { snapshotSource } from "@konomana/catalog/snapshot";
import { afterEach, beforeEach, expect, test } from "vitest";
import { readSnapshot, writeText } from "./snapshot-file.ts";

/** The text of a snapshot with some courses only. */
function textOf(...courses: object[]): string {
  return writeText({
    catalogue: { courses: courses as never, teachers: [] },
    desk: { notices: [], faqs: [], success: [], entryExams: [] },
    exam: { exams: [], checks: [] },
  });
}

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "snapshot-"));
});
afterEach(() => rm(folder, { recursive: true }));

test("a build without content explains what to do", async () => {
  await expect(readSnapshot(join(folder, "snapshot.json"))).rejects.toThrow(
    "npm run snapshot -- --api http://127.0.0.1:8080",
  );
});

test("empty content fails the build", async () => {
  const file = join(folder, "snapshot.json");
  await writeFile(file, textOf());
  await expect(readSnapshot(file)).rejects.toThrow("holds no course");
});

test("the same content gives the same bytes, independent of the field order", () => {
  const one = { id: 101, teacher: { id: 1, name: "佐倉みのり" } };
  const other = { teacher: { name: "佐倉みのり", id: 1 }, id: 101 };
  expect(textOf(one)).toBe(textOf(other));
});

test("the written snapshot is what the prerender reads", async () => {
  const file = join(folder, "snapshot.json");
  await writeFile(file, textOf({ id: 101, teacher: { id: 1 } }));
  const { catalogue, desk, exam } = await readSnapshot(file);
  const source = snapshotSource(catalogue, { ...desk, exams: exam.exams });
  expect(await source.course(101, new AbortController().signal)).toMatchObject({
    course: { id: 101 },
  });
});
