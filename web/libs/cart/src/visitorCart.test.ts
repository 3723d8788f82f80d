import { freshStorage, refusingStorage } from "@konomana/testing/storage";
import { beforeEach, expect, test } from "vitest";
import { visitorCart } from "./visitorCart";
import { CART_LIMIT } from "./visitorCartStore";

beforeEach(() => {
  freshStorage();
  visitorCart.reload();
});

/** The cart that a newly opened tab reads. */
function inAnotherTab(): readonly number[] {
  visitorCart.reload();
  return visitorCart.get();
}

test("each product is in the cart once, oldest first", () => {
  for (const id of [1105, 1101, 1105]) expect(visitorCart.add(id)).toBe(true);
  expect(inAnotherTab()).toEqual([1105, 1101]);
});

test("the cart takes twenty products and no more", () => {
  for (let id = 1; id <= CART_LIMIT; id++) visitorCart.add(id);
  expect(visitorCart.add(CART_LIMIT + 1)).toBe(false);
  expect(visitorCart.add(1)).toBe(true);
  expect(inAnotherTab()).toHaveLength(20);
});

test("a removed product is gone; a product that another tab added meanwhile stays", () => {
  visitorCart.add(1105);
  localStorage.setItem("konomana.cart", "[1105,1101]");
  visitorCart.forget([1105]);
  expect(inAnotherTab()).toEqual([1101]);
  visitorCart.forget([1101]);
  expect(localStorage.getItem("konomana.cart")).toBeNull();
});

test.each(["", "x", "null", "{}", '["1105"]', "[0,-1,1.5,null]"])(
  "a stored value with another shape is ignored: %s",
  (text) => {
    localStorage.setItem("konomana.cart", text);
    expect(inAnotherTab()).toEqual([]);
  },
);

test("a browser that refuses storage keeps the cart in memory", () => {
  refusingStorage();
  visitorCart.reload();
  expect(visitorCart.add(1105)).toBe(true);
  expect(visitorCart.get()).toEqual([1105]);
  visitorCart.forget([1105]);
  expect(visitorCart.get()).toEqual([]);
});
