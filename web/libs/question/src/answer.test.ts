import { expect, test } from "vitest";
import { givenOf, nothing, plainNumber, readDraft } from "./answer";
import { validatorOf } from "./answerForm";

test.each([
  ["３．５", "3.5"],
  ["－２", "-2"],
  ["ー２", "-2"],
  ["−2", "-2"],
  [" 1,200 ", "1,200"],
  ["３／４", "3/4"],
  ["½", "1/2"],
  ["1 / 2", "1/2"],
])("%j is sent as %j", (typed, sent) => {
  expect(plainNumber(typed)).toBe(sent);
  expect(givenOf("number", { ...nothing, answer: typed })).toEqual({ number: sent });
  expect(validatorOf("number")({ ...nothing, answer: typed })).toEqual({});
});

test.each(["2²", "1½", "1.5/2", "x", "1/", "/2", "1/2/3", "--1", "1.2.3", "5cm", "."])(
  "%j is not a number",
  (typed) => {
    expect(validatorOf("number")({ ...nothing, answer: typed })).toEqual({
      answer: "数か分数で入力してください（例：-1.5、3/4）。",
    });
  },
);

test.each([
  ["single", { chosen: "答えを選んでください。" }],
  ["multiple", { chosen: "答えを選んでください。" }],
  ["number", { answer: "答えを入力してください。" }],
  ["text", { answer: "答えを入力してください。" }],
] as const)("without an answer, %s shows an error", (kind, errors) => {
  expect(validatorOf(kind)({ ...nothing, answer: "　" })).toEqual(errors);
});

test("text is sent without surrounding spaces", () => {
  expect(givenOf("text", { ...nothing, answer: "　鎌倉幕府 " })).toEqual({ text: "鎌倉幕府" });
});

test("a draft keeps only what the question still offers", () => {
  const choices = [
    { id: 1, text: "ア" },
    { id: 2, text: "イ" },
  ];
  expect(readDraft({ chosen: [2, 9], answer: "鎌倉" }, choices)).toEqual({
    chosen: [2],
    answer: "鎌倉",
  });
  expect(readDraft({ chosen: "2" } as never, choices)).toEqual(nothing);
});
