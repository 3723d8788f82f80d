import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findLook } from "./looks";
import { subjectOf, subjects } from "./subjects";

const art = readFileSync(new URL("art.svg", import.meta.url), "utf8");

/** The drawing with a name; empty if there is none. */
function findDrawing(name: string): string {
  return new RegExp(`<symbol id="${name}"[^]*?</symbol>`).exec(art)?.[0] ?? "";
}

test.each([...subjects, subjectOf("音楽")])("$name has a drawing in its colours", (subject) => {
  const drawing = findDrawing(subject.drawing);
  expect(drawing).toContain(subject.ink);
  expect(drawing).toContain(subject.tone);
});

test("six teachers have six portraits, and each keeps theirs", () => {
  const faces = [1, 2, 3, 4, 5, 6].map((id) => findLook(id).drawing);
  expect(new Set(faces).size).toBe(6);
  for (const face of faces) expect(findDrawing(face)).not.toBe("");
  expect(findLook(3).drawing).toBe(faces[2]);
});

test("a seventh teacher has a distinct portrait, too", () => {
  const { drawing, ground } = findLook(7);
  expect(drawing).toBe(findLook(1).drawing);
  expect(ground).not.toBe(findLook(1).ground);
});
