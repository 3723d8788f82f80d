import { visitorCart } from "@konomana/cart";
import { emptyBrowser } from "@konomana/cart/testing";
import { restorePath } from "@konomana/session";
import { problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { openCart } from "../cartScreensTesting";
import { faults } from "../orderTesting";
import { english, math, monthly, seat } from "./cartProductsTesting";

beforeEach(emptyBrowser);

test("a visitor can add a monthly service to the cart", async () => {
  visitorCart.add(3001);
  const { screen } = await openCart("/cart", { "GET commerce/product/3001/": () => monthly }, null);
  await expect
    .element(screen.getByRole("listitem"))
    .toMatchTextContent(/質問し放題.*1か月ごとに自動更新.*月2,980円/);
  await expect
    .element(screen.getByRole("region", { name: "合計" }).getByRole("status"))
    .toMatchTextContent(/1点.*2,980円/);
});

test("a visitor sees that an exam is sold out, and the sum excludes it", async () => {
  visitorCart.add(2301);
  const { screen } = await openCart(
    "/cart",
    { "GET commerce/product/2301/": () => ({ ...seat, places_left: 0 }) },
    null,
  );
  await expect.element(screen.getByRole("listitem")).toMatchTextContent(/定員に達したため/);
  await expect
    .element(screen.getByRole("region", { name: "合計" }).getByRole("status"))
    .toMatchTextContent(/0点.*0円/);
});

test("a visitor sees the prices and returns to the cart from the login", async () => {
  for (const id of [1105, 1101, 1999]) visitorCart.add(id);
  const { screen } = await openCart(
    "/cart",
    {
      "GET commerce/product/1105/": () => math,
      "GET commerce/product/1101/": () => ({ ...english, is_on_sale: false }),
    },
    null,
  );
  await expect.element(screen.getByText("合計（1点）")).toBeVisible();
  await expect.element(screen.getByText("16,500円（税込）")).toBeVisible();
  await expect.element(screen.getByText("いまは販売していません。")).toBeVisible();
  await expect.element(screen.getByText("この商品は見つかりませんでした。")).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
  await screen.getByRole("button", { name: "削除（商品1999）" }).click();
  expect(visitorCart.get()).toEqual([1105, 1101]);
  await screen.getByRole("button", { name: "元に戻す" }).click();
  expect(visitorCart.get()).toEqual([1105, 1101, 1999]);
  await screen.getByRole("link", { name: "ログインして購入手続きへ" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("/login");
  expect(restorePath()).toBe("/cart");
});

test("a product that fails to load stays in a visitor's cart, with a retry", async () => {
  visitorCart.add(1105);
  let down = true;
  const { screen } = await openCart(
    "/cart",
    { "GET commerce/product/1105/": () => (down ? problem(500, "INTERNAL") : math) },
    null,
  );
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  expect(visitorCart.get()).toEqual([1105]);
  down = false;
  await again.click();
  await expect.element(screen.getByRole("link", { name: math.name })).toBeVisible();
});
