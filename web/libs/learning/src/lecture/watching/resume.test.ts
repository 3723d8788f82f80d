import { expect, test } from "vitest";
import { resumeAt, secondIn } from "./resume";

test.each([
  [0, 0],
  [2, 0],
  [100, 97],
  [289, 286],
  [290, 0],
  [300, 0],
])("left at %d of 300 it resumes at %d", (position, resumed) => {
  expect(resumeAt(position, 300)).toBe(resumed);
});

test.each([
  ["at=0", 0],
  ["at=42", 42],
  ["at=300", null],
  ["at=-1", null],
  ["at=1.5", null],
  ["at=", null],
  ["", null],
])("?%s is read as %s of 300", (query, second) => {
  expect(secondIn(new URLSearchParams(query), 300)).toBe(second);
});
