import type { RefundQuote } from "../api";

/** The shown and the current refund of a line, in yen. */
export interface ChangedAmount {
  name: string;
  before: number;
  now: number;
}

/** The lines whose refund differs between two quotes of an order. */
export function changedAmounts(
  before: Pick<RefundQuote, "lines">,
  now: Pick<RefundQuote, "lines">,
): ChangedAmount[] {
  const old = new Map(before.lines.map((line) => [line.n, line]));
  return now.lines
    .map(({ n, name, amount }) => ({ name, before: old.get(n)?.amount ?? 0, now: amount }))
    .filter((line) => line.before !== line.now);
}
