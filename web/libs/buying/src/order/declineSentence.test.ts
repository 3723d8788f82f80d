import { expect, test } from "vitest";
import { declineSentence } from "./declineSentence";

test("what would tell a thief more is an ordinary refusal", () => {
  const unknown = declineSentence("something_new");
  expect(unknown).toContain("別のカードでお試しいただくか");
  for (const code of ["stolen_card", "lost_card", "pickup_card", "fraudulent", "constructor", ""])
    expect(declineSentence(code)).toBe(unknown);
});
