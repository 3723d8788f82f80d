import { expect, test } from "vitest";
import { pauseAfter } from "./pause";

test("the pauses grow to a maximum", () => {
  const pauses = Array.from({ length: 30 }, (_, times) => pauseAfter(times));
  expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
  expect([pauses[0], pauses.at(-1)]).toEqual([1000, 20_000]);
});
