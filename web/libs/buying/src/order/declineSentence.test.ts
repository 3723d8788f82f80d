import { expect, test } from "vitest";
import { declineSentence } from "./declineSentence";

test("a decline code that would help a thief gets the general message", () => {
  const unknown = declineSentence("something_new");
  expect(unknown).toContain("別のカードでお試しいただくか");
  for (const code of ["stolen_card", "lost_card", "pickup_card", "fraudulent", "constructor", ""])
    expect(declineSentence(code)).toBe(unknown);
});
