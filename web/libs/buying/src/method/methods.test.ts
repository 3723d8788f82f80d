import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isCard, isPaidLater, methodIn, methodNames } from "./methods";

test("the method is parsed from an address", () => {
  expect(methodIn(new URLSearchParams("method=konbini"))).toBe("konbini");
  for (const search of ["", "method=", "method=cash", "method=constructor", "method=KONBINI"])
    expect(methodIn(new URLSearchParams(search))).toBeUndefined();
});

test("a method is paid by card at once, later elsewhere, or not at all", () => {
  const methods = Object.keys(methodNames) as (keyof typeof methodNames)[];
  expect(methods.filter(isCard)).toEqual(["card", "saved_card"]);
  expect(methods.filter(isPaidLater)).toEqual(["konbini", "bank_transfer"]);
});

test("a receipt and its PDF name a method alike", () => {
  const sheet = readFileSync(
    join(import.meta.dirname, "../../../../../services/commerce/src/receipt/sheet.rs"),
    "utf8",
  );
  const named = [...sheet.matchAll(/Method::(\w+) => "(.+)"/g)].map(([, variant = "", name]) => [
    variant.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase(),
    name,
  ]);
  expect(Object.fromEntries(named)).toEqual(methodNames);
});
