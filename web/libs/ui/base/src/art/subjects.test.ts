import { expect, test } from "vitest";
import { subjectOf, subjects } from "./subjects";

/** WCAG's relative luminance of `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each([...subjects, subjectOf("情報")])(
  "the colours of $name have a contrast of 4.5:1 on their tint and on white",
  ({ ink, tint }) => {
    expect(contrast(ink, tint)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(ink, "#ffffff")).toBeGreaterThanOrEqual(4.5);
  },
);
