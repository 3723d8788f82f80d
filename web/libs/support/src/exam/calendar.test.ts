import type { EntryExam } from "../api";
import { expect, test } from "vitest";
import { dayInWords, monthInWords, monthsOf, prefecturesOf, stateOf } from "./calendar";

const exam = (id: number, prefecture: string, exam_on: string): EntryExam => ({
  id,
  prefecture,
  kind: "公立高校",
  name: "一般選抜",
  apply_from: "2027-02-01",
  apply_until: "2027-02-08",
  exam_on,
  result_on: "2027-03-01",
  subjects: ["国語"],
  note: "",
});
const exams = [
  exam(1, "東京都", "2027-02-21"),
  exam(2, "全国", "2027-01-16"),
  exam(3, "大阪府", "2027-03-10"),
  exam(4, "東京都", "2027-01-22"),
];

test("months come in order, each with its exams by day", () => {
  const months = monthsOf(exams, undefined);
  expect(months.map(({ month, exams: own }) => [month, own.map(({ id }) => id)])).toEqual([
    ["2027-01", [2, 4]],
    ["2027-02", [1]],
    ["2027-03", [3]],
  ]);
});

test("a prefecture's calendar includes nationwide exams", () => {
  const ids = monthsOf(exams, "大阪府").flatMap(({ exams: own }) => own.map(({ id }) => id));
  expect(ids).toEqual([2, 3]);
  expect(monthsOf(exams, "沖縄県").flatMap(({ exams: own }) => own)).toHaveLength(1);
  expect(prefecturesOf(exams)).toEqual(["東京都", "大阪府"]);
});

test.each([
  [null, undefined],
  ["2027-01-31", "試験まであと21日"],
  ["2027-02-01", "出願受付中"],
  ["2027-02-08", "出願受付中"],
  ["2027-02-09", "試験まであと12日"],
  ["2027-02-21", "今日が試験日です"],
  ["2027-02-22", "終了しました"],
])("on %s the exam of 21 February is: %s", (today, words) => {
  expect(stateOf(exam(1, "東京都", "2027-02-21"), today)?.words).toBe(words);
});

test("days and months are formatted", () => {
  expect(dayInWords("2027-02-21")).toBe("2/21(日)");
  expect(monthInWords("2027-02")).toBe("2027年2月");
});
