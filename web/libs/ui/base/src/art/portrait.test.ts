import { expect, test } from "vitest";
import { lookOf } from "./looks";

test("six teachers have six faces, and each keeps theirs", () => {
  const faces = [1, 2, 3, 4, 5, 6].map(lookOf);
  expect(new Set(faces).size).toBe(6);
  expect(lookOf(3)).toBe(faces[2]);
});

test("a teacher who comes later has a portrait of their own as well", () => {
  const { ground, hair } = lookOf(7);
  expect(hair).toBe(lookOf(1).hair);
  expect(ground).not.toBe(lookOf(1).ground);
});
