import { expect, test } from "vitest";
import { toQuery } from "./toQuery";

test("spec §7: Query arrays use a [] suffix", () => {
  expect(toQuery({ subject: ["英語", "数学"], page: 2 })).toBe(
    "?subject%5B%5D=%E8%8B%B1%E8%AA%9E&subject%5B%5D=%E6%95%B0%E5%AD%A6&page=2",
  );
});

test("spec §7: empty values are dropped", () => {
  expect(toQuery({ a: "", b: null, c: undefined, d: [], e: ["", null, "x"] })).toBe("?e%5B%5D=x");
  expect(toQuery({ a: "", b: undefined })).toBe("");
});

test("zero and false are values", () => {
  expect(toQuery({ from: 0, new: false })).toBe("?from=0&new=false");
});
