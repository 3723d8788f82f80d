import type { Confirmation } from "../api";

type Document = Confirmation["document"];
type Line = Document["lines"][number];

/** A difference between the shown and the current confirmation. */
export interface Change {
  what: string;
  /** The shown value. Empty if it is new. */
  before: string;
  now: string;
}

const yen = (amount: number) => `${amount.toLocaleString("ja-JP")}円`;
const keyOf = ({ product_id, learner_id }: Line) => `${product_id} ${learner_id}`;
const wordsOf = ({ price, period_days }: Line) =>
  period_days === null ? yen(price) : `${yen(price)}・${period_days}日間`;

/** The terms and the sections of a contract document. */
const termsOf = ({ terms, contract = [] }: Document) => [...terms, ...contract];

/** The differences between two confirmations: lines, coupons, total and terms. */
export function changesOf(before: Document, now: Document): Change[] {
  const lines = pairsOf(before.lines, now.lines, keyOf).map(([old, newer]) => ({
    what: (newer ?? old)?.name ?? "",
    before: old === undefined ? "ありません" : wordsOf(old),
    now: newer === undefined ? "購入できなくなりました" : wordsOf(newer),
  }));
  const coupons = pairsOf(before.coupons, now.coupons, ({ id }) => `${id}`).map(([old, newer]) => ({
    what: `クーポン「${(newer ?? old)?.name ?? ""}」`,
    before: old === undefined ? "ありません" : `−${yen(old.amount)}`,
    now: newer === undefined ? "使えなくなりました" : `−${yen(newer.amount)}`,
  }));
  const terms = pairsOf(termsOf(before), termsOf(now), ({ title }) => title).map(
    ([old, newer]) => ({
      what: (newer ?? old)?.title ?? "",
      before: old?.text ?? "ありません",
      now: newer?.text ?? "ありません",
    }),
  );
  const total = { what: "合計", before: yen(before.total), now: yen(now.total) };
  return [...lines, ...coupons, total, ...terms].filter((change) => change.before !== change.now);
}

/** Pairs the entries of both lists by their key, in the order of the newer list. */
function pairsOf<Entry>(
  before: readonly Entry[],
  now: readonly Entry[],
  key: (entry: Entry) => string,
): (readonly [Entry | undefined, Entry | undefined])[] {
  const old = new Map(before.map((entry) => [key(entry), entry]));
  const newer = new Map(now.map((entry) => [key(entry), entry]));
  return [...new Set([...newer.keys(), ...old.keys()])].map(
    (one) => [old.get(one), newer.get(one)] as const,
  );
}
