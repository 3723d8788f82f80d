import { expect, test } from "vitest";
import { changedAmounts } from "./changedAmounts";

const line = (n: number, amount: number) => ({
  n,
  name: `講座${n}`,
  learner: { id: "a", name: "葵" },
  paid: 16_500,
  refunded: 0,
  lessons_total: 18,
  lessons_opened: 0,
  kind: "course" as const,
  rule: "full" as const,
  rule_text: "",
  full_until: null,
  amount,
  last_use_at: null,
});

test("only lines with a different amount are listed", () => {
  const before = { lines: [line(1, 16_500), line(2, 300)] };
  const now = { lines: [line(1, 9166), line(2, 300)] };
  expect(changedAmounts(before, now)).toEqual([{ name: "講座1", before: 16_500, now: 9166 }]);
  expect(changedAmounts(before, before)).toEqual([]);
});
