import { expect, test } from "vitest";
import { complaintAbout, readCode } from "./code";

test.each([
  ["ABCD-2345"],
  ["abcd2345"],
  [" ABCD 2345 "],
  ["ＡＢＣＤ－２３４５"],
  ["ａｂｃｄー２３４５"],
  ["A-B-C-D-2-3-4-5"],
])("%j is read as ABCD-2345", (typed) => {
  expect(readCode(typed)).toBe("ABCD-2345");
  expect(complaintAbout(typed)).toBeNull();
});

test.each([
  ["", "コードを入力してください。"],
  ["　", "コードを入力してください。"],
  ["ABCD", "コードは8文字です。もう一度お確かめください。"],
  ["ABCD-23456", "コードは8文字です。もう一度お確かめください。"],
])("%j is not a code", (typed, complaint) => {
  expect(complaintAbout(typed)).toBe(complaint);
});
