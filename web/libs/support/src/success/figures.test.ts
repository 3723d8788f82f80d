import { expect, test } from "vitest";
import { barOf, schoolsByKind, shareInWords } from "./figures";

test.each([
  [0, "0.0%"],
  [0.79104, "79.1%"],
  [0.6665, "66.7%"],
  [1, "100.0%"],
])("a share of %d is %s", (share, words) => {
  expect(shareInWords(share)).toBe(words);
});

test("a figure is always shown with its total", () => {
  expect(barOf({ label: "第一志望に合格", count: 1060, of: 1340, unit: "人" })).toEqual({
    label: "第一志望に合格",
    share: 1060 / 1340,
    shown: "79.1%",
    cells: ["1,060人", "1,340人", "79.1%"],
  });
});

test("a part of zero has no share", () => {
  expect(barOf({ label: "x", count: 0, of: 0, unit: "人" })).toMatchObject({
    share: 0,
    shown: "—",
  });
});

const school = (name: string, kind: string) => ({ name, kind, count: 1 });

test("schools are grouped by kind, in the order of the list", () => {
  const [a, b, c] = [school("a", "公立高校"), school("b", "大学"), school("c", "公立高校")];
  expect(schoolsByKind([a, b, c])).toEqual([
    ["公立高校", [a, c]],
    ["大学", [b]],
  ]);
});
