import { freshStorage, refusingStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test } from "vitest";
import { visitorCart } from "./visitorCart";
import { CART_LIMIT } from "./visitorCartStore";

beforeEach(() => {
  freshStorage();
  visitorCart.reload();
});

/** What a tab that opens now finds. */
function inAnotherTab(): readonly number[] {
  visitorCart.reload();
  return visitorCart.get();
}

test("each product is there once, the oldest first", () => {
  for (const id of [1105, 1101, 1105]) expect(visitorCart.add(id)).toBe(true);
  expect(inAnotherTab()).toEqual([1105, 1101]);
});

test("twenty are taken, and no more", () => {
  for (let id = 1; id <= CART_LIMIT; id++) visitorCart.add(id);
  expect(visitorCart.add(CART_LIMIT + 1)).toBe(false);
  expect(visitorCart.add(1)).toBe(true);
  expect(inAnotherTab()).toHaveLength(20);
});

test("what is taken out is gone; what another tab has added meanwhile stays", () => {
  visitorCart.add(1105);
  localStorage.setItem("konomana.cart", "[1105,1101]");
  visitorCart.forget([1105]);
  expect(inAnotherTab()).toEqual([1101]);
  visitorCart.forget([1101]);
  expect(localStorage.getItem("konomana.cart")).toBeNull();
});

test.each(["", "x", "null", "{}", '["1105"]', "[0,-1,1.5,null]"])(
  "what was not written here is not believed: %s",
  (text) => {
    localStorage.setItem("konomana.cart", text);
    expect(inAnotherTab()).toEqual([]);
  },
);

test("a browser that refuses storage keeps the cart as long as the page", () => {
  refusingStorage();
  visitorCart.reload();
  expect(visitorCart.add(1105)).toBe(true);
  expect(visitorCart.get()).toEqual([1105]);
  visitorCart.forget([1105]);
  expect(visitorCart.get()).toEqual([]);
});
