import { expect, test } from "vitest";
import { changesOf } from "./changes";

const line = (product_id: number, price: number, learner_id = "a") => ({
  product_id,
  course_id: product_id - 1000,
  kind: "course" as const,
  name: `講座${product_id}`,
  period_days: 365,
  price,
  discount: 0,
  learner_id,
  learner_name: "葵",
});

const documentOf = (
  lines: ReturnType<typeof line>[],
  text = "1時間以内",
  coupons: { id: number; name: string; amount: number }[] = [],
) => ({
  version: 2,
  method: "card" as const,
  lines,
  subtotal: lines.reduce((sum, { price }) => sum + price, 0),
  discount: coupons.reduce((sum, { amount }) => sum + amount, 0),
  coupons,
  total: [...lines.map(({ price }) => price), ...coupons.map(({ amount }) => -amount)].reduce(
    (sum, yen) => sum + yen,
    0,
  ),
  tax: 0,
  tax_rate: 10,
  terms: [{ title: "支払時期", text }],
});

test("the same confirmation has no changes", () => {
  expect(changesOf(documentOf([line(1105, 100)]), documentOf([line(1105, 100)]))).toEqual([]);
});

test("added, removed and repriced lines, the total and the terms are listed", () => {
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

test("added, removed and changed coupons are listed before the total", () => {
  const winter = { id: 2, name: "冬の講習応援", amount: 2475 };
  const siblings = { id: 3, name: "きょうだい割", amount: 2000 };
  const first = { id: 1, name: "はじめての1,000円引き", amount: 1000 };
  const lines = [line(1105, 16_500)];
  const before = documentOf(lines, "1時間以内", [winter, siblings]);
  const now = documentOf(lines, "1時間以内", [{ ...winter, amount: 2400 }, first]);
  expect(changesOf(before, now)).toEqual([
    { what: "クーポン「冬の講習応援」", before: "−2,475円", now: "−2,400円" },
    { what: "クーポン「はじめての1,000円引き」", before: "ありません", now: "−1,000円" },
    { what: "クーポン「きょうだい割」", before: "−2,000円", now: "使えなくなりました" },
    { what: "合計", before: "12,025円", now: "13,100円" },
  ]);
});
