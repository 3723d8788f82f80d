import { emptyBrowser } from "@konomana/cart/testing";
import { problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { openCart } from "../cartScreensTesting";
import { couponOf, couponsOf, welcome } from "../couponTesting";
import { faults, ORDER } from "../orderTesting";

const PATH = "/mypage/coupon";
const LIST = "GET commerce/coupon/";
const GET = "GET commerce/coupon/2/";

beforeEach(emptyBrowser);

test("the coupons on my page are listed without the cart and link to it", async () => {
  const { screen, calls } = await openCart(PATH, {
    [LIST]: () => couponsOf([couponOf(), couponOf({ id: 5, name: "春の応援", state: "expired" })]),
  });
  const held = screen.getByRole("region", { name: "持っているクーポン" });
  await expect.element(held).toMatchTextContent(/冬の講習応援.*15%引き/);
  await expect
    .element(held.getByRole("link", { name: "冬の講習応援" }))
    .toHaveAttribute("href", "/mypage/coupon/2");
  await expect
    .element(screen.getByRole("link", { name: "カートでクーポンを使う" }))
    .toHaveAttribute("href", "/cart/coupon");
  expect(await faults(screen.container)).toEqual([]);
  expect(calls.map(({ call }) => call)).toEqual([LIST]);
});

test("an entered code adds a coupon to the list", async () => {
  let mine = couponsOf([]);
  const { screen, calls } = await openCart(PATH, {
    [LIST]: () => mine,
    "POST commerce/coupon/": () => {
      mine = couponsOf([welcome]);
      return welcome;
    },
  });
  await expect.element(screen.getByText(/いま使えるクーポンはありません/)).toBeVisible();
  await screen.getByRole("textbox", { name: "クーポンコード" }).fill("WELCOME1000");
  await screen.getByRole("button", { name: "追加する" }).click();
  await expect.element(screen.getByRole("link", { name: welcome.name })).toBeVisible();
  await expect.element(screen.getByText(/を追加しました。/)).toBeVisible();
  expect(calls.filter(({ call }) => call.startsWith("PUT"))).toEqual([]);
});

test("a list that fails to load can be loaded again", async () => {
  let down = true;
  const { screen } = await openCart(PATH, {
    [LIST]: () => (down ? problem(500, "INTERNAL") : couponsOf([welcome])),
  });
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  down = false;
  await again.click();
  await expect.element(screen.getByRole("link", { name: welcome.name })).toBeVisible();
});

test("a coupon reserved by an unpaid order shows so", async () => {
  const { screen } = await openCart(`${PATH}/2`, {
    [GET]: () => couponOf({ state: "used", problem: "USED", saving: 0, used_order_id: ORDER }),
  });
  await expect.element(screen.getByText("お支払い手続き中のご注文で使っています。")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "使ったご注文を見る" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}`);
});

test("a usable coupon links to the cart, a used one to its order", async () => {
  const { screen } = await openCart(`${PATH}/2`, { [GET]: () => couponOf() });
  await expect
    .element(screen.getByRole("link", { name: "カートで使う" }))
    .toHaveAttribute("href", "/cart/coupon/2");
  expect(await faults(screen.container)).toEqual([]);
  await screen.unmount();

  const used = await openCart(`${PATH}/2`, {
    [GET]: () =>
      couponOf({
        state: "used",
        problem: "USED",
        saving: 0,
        remaining_uses: 0,
        used_at: "2026-11-25T01:00:00Z",
        used_order_id: ORDER,
      }),
  });
  await expect.element(used.screen.getByText("使用済み")).toBeVisible();
  await expect
    .element(used.screen.getByRole("link", { name: "使ったご注文を見る" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}`);
  await expect
    .element(used.screen.getByRole("link", { name: "カートで使う" }))
    .not.toBeInTheDocument();
});
