import { expect, test } from "vitest";
import { changesOf } from "./changes";

const line = (product_id: number, price: number, learner_id = "a") => ({
  product_id,
  course_id: product_id - 1000,
  kind: "course" as const,
  name: `講座${product_id}`,
  period_days: 365,
  price,
  learner_id,
  learner_name: "葵",
});

const documentOf = (lines: ReturnType<typeof line>[], text = "1時間以内") => ({
  version: 1,
  lines,
  total: lines.reduce((sum, { price }) => sum + price, 0),
  tax: 0,
  tax_rate: 10,
  terms: [{ title: "支払時期", text }],
});

test("the same confirmation has no changes", () => {
  expect(changesOf(documentOf([line(1105, 100)]), documentOf([line(1105, 100)]))).toEqual([]);
});

test("lines that came, went or cost something else, the total, and the terms are told", () => {
  const before = documentOf([line(1105, 16_500), line(1101, 13_200), line(1105, 16_500, "b")]);
  const now = documentOf(
    [line(1105, 17_600), line(1102, 13_200), line(1105, 16_500, "b")],
    "2時間以内",
  );
  expect(changesOf(before, now)).toEqual([
    { what: "講座1105", before: "16,500円・365日間", now: "17,600円・365日間" },
    { what: "講座1102", before: "ありません", now: "13,200円・365日間" },
    { what: "講座1101", before: "13,200円・365日間", now: "購入できなくなりました" },
    { what: "合計", before: "46,200円", now: "47,300円" },
    { what: "支払時期", before: "1時間以内", now: "2時間以内" },
  ]);
});
