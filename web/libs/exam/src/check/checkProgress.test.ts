import { freshStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test } from "vitest";
import type { Check } from "../api";
import { readProgress, standingOf } from "./checkProgress";

const check: Check = {
  id: 3,
  school_year: "中1",
  subject: "数学",
  title: "中1数学",
  question_count: 2,
  questions: [
    {
      id: 301,
      number: 1,
      kind: "single",
      prompt: "1+1",
      figures: [],
      choices: [
        { id: 1, text: "1" },
        { id: 2, text: "2" },
      ],
      points: 1,
      character_limit: null,
      takes_picture: false,
    },
    {
      id: 302,
      number: 2,
      kind: "number",
      prompt: "2+2",
      figures: [],
      choices: [],
      points: 1,
      character_limit: null,
      takes_picture: false,
    },
  ],
};

const store = (value: unknown) =>
  localStorage.setItem("konomana.free-checks", JSON.stringify(value));

beforeEach(freshStorage);

test("a check that was not started is empty", () => {
  expect(readProgress(check)).toEqual({ answers: {}, at: 0, isList: false, result: null });
  expect(standingOf(3)).toBeNull();
});

test("stored answers that do not fit the questions are ignored", () => {
  store({
    3: {
      answers: {
        301: { chosen: [2, 9], answer: "" },
        302: { chosen: [], answer: "4" },
        999: { chosen: [1], answer: "" },
      },
      at: 7,
      result: { questions: [{ question_id: 999 }] },
    },
  });
  expect(readProgress(check)).toEqual({
    answers: { 301: { chosen: [2], answer: "" }, 302: { chosen: [], answer: "4" } },
    at: 0,
    isList: false,
    result: null,
  });
});

test.each([["text"], [null], [[1]]])(
  "a stored value with another shape is no progress: %s",
  (value) => {
    store(value);
    expect(readProgress(check).answers).toEqual({});
  },
);

test("a started check and a scored one are distinguished", () => {
  store({ 3: { answers: {}, at: 1 }, 4: { result: { score: 1, questions: [] } } });
  expect(standingOf(3)).toBe("begun");
  expect(standingOf(4)).toBe("scored");
});
