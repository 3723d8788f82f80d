import { expect, test } from "vitest";
import { numbersAround } from "./numbers";

test("a short list shows every page", () => {
  expect(numbersAround(1, 1)).toEqual([1]);
  expect(numbersAround(4, 7)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test("a long list shows its ends and the pages around the current one, always in seven places", () => {
  expect(numbersAround(1, 20)).toEqual([1, 2, 3, 4, 5, null, 20]);
  expect(numbersAround(4, 20)).toEqual([1, 2, 3, 4, 5, null, 20]);
  expect(numbersAround(5, 20)).toEqual([1, null, 4, 5, 6, null, 20]);
  expect(numbersAround(16, 20)).toEqual([1, null, 15, 16, 17, null, 20]);
  expect(numbersAround(17, 20)).toEqual([1, null, 16, 17, 18, 19, 20]);
});
