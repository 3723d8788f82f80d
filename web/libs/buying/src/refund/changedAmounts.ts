import type { RefundQuote } from "../api";

/** What comes back for a line, as it was shown and as it is now. Yen. */
export interface ChangedAmount {
  name: string;
  before: number;
  now: number;
}

/** The lines whose amount differs between two quotes of one order. */
export function changedAmounts(
  before: Pick<RefundQuote, "lines">,
  now: Pick<RefundQuote, "lines">,
): ChangedAmount[] {
  const old = new Map(before.lines.map((line) => [line.n, line]));
  return now.lines
    .map(({ n, name, amount }) => ({ name, before: old.get(n)?.amount ?? 0, now: amount }))
    .filter((line) => line.before !== line.now);
}
