import { expect, test } from "vitest";
import { cardExpiry, cardName } from "./cardName";

test("a card is named by its brand and its last four digits", () => {
  expect(cardName({ brand: "jcb", last4: "0505" })).toBe("JCB（末尾 0505）");
  expect(cardName({ brand: "newest_brand", last4: "4242" })).toBe("クレジットカード（末尾 4242）");
  expect(cardExpiry({ exp_month: 3, exp_year: 2031 })).toBe("2031年3月");
});
