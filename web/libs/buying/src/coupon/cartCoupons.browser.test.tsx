import { type CartCoupon } from "@konomana/cart";
import { cartOf, emptyBrowser, lineOf, productOf } from "@konomana/cart/testing";
import { restorePath } from "@konomana/session";
import { learner, problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import type { CouponProblem } from "../api";
import { openCart } from "../cartScreensTesting";
import { couponOf, couponsOf, welcome } from "../couponTesting";
import { faults, ORDER } from "../orderTesting";

const PATH = "/cart/coupon";
const CART = "GET commerce/cart/";
const LIST = "GET commerce/coupon/";
const CLAIM = "POST commerce/coupon/";
const APPLY = "PUT commerce/cart/coupon/2/";
const TAKE_OFF = "DELETE commerce/cart/coupon/2/";
const winter = couponOf();
const applied = (given: Partial<CartCoupon> = {}): CartCoupon => ({
  id: 2,
  name: winter.name,
  amount: 2475,
  problem: null,
  ...given,
});
const cart = (...coupons: CartCoupon[]) => cartOf([lineOf(productOf())], { coupons });

const sum = page.getByRole("region", { name: "合計" });
const use = page.getByRole("button", { name: "使う（冬の講習応援）" });
const takeOff = page.getByRole("button", { name: "外す（冬の講習応援）" });
const field = page.getByRole("textbox", { name: "クーポンコード" });
const add = page.getByRole("button", { name: "追加する" });

beforeEach(emptyBrowser);

test("coupons show their discount on this cart, and the state of the others", async () => {
  const used = { state: "used", problem: "USED", saving: 0 } as const;
  const { screen } = await openCart(PATH, {
    [CART]: () => cart(),
    [LIST]: () =>
      couponsOf([
        winter,
        couponOf({
          id: 3,
          name: "きょうだい割",
          minimum: 30_000,
          problem: "MINIMUM",
          saving: 0,
        }),
        couponOf({
          ...used,
          id: 4,
          name: "夏の応援",
          used_at: "2026-08-01T03:00:00Z",
          used_order_id: ORDER,
        }),
        couponOf({ id: 5, name: "春の応援", state: "expired", problem: "EXPIRED", saving: 0 }),
      ]),
  });
  const held = screen.getByRole("region", { name: "持っているクーポン" });
  const rows = held.getByRole("listitem");
  await expect
    .element(rows.nth(0))
    .toMatchTextContent(
      /冬の講習応援.*15%引き（5,000円まで）.*2027年1月31日\(日\)まで.*いまのカートで2,475円お得/,
    );
  await expect.element(rows.nth(1)).toMatchTextContent(/あと13,500円分をカートに入れると使えます/);
  await expect
    .element(held.getByRole("button", { name: "使う（きょうだい割）" }))
    .not.toBeInTheDocument();
  const usedOnes = screen.getByRole("region", { name: "使用済みのクーポン" });
  await expect.element(usedOnes).toMatchTextContent(/使用済み.*2026年8月1日\(土\)に使いました/);
  await expect
    .element(usedOnes.getByRole("link", { name: "使ったご注文を見る" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}`);
  await expect
    .element(screen.getByRole("region", { name: "期限が切れたクーポン" }))
    .toMatchTextContent(/春の応援.*期限切れ/);
  await expect
    .element(screen.getByRole("link", { name: winter.name }))
    .toHaveAttribute("href", "/cart/coupon/2");
  expect(await faults(screen.container)).toEqual([]);
});

test("a coupon is applied by keyboard: the switch changes at once, the total after the response", async () => {
  let now = cart();
  const { promise, resolve } = Promise.withResolvers<void>();
  const { screen } = await openCart(PATH, {
    [CART]: () => now,
    [LIST]: () => couponsOf([winter]),
    [APPLY]: async () => {
      await promise;
      return (now = cart(applied()));
    },
    [TAKE_OFF]: () => (now = cart()),
  });
  await expect.element(use).toBeVisible();
  (use.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(takeOff).toHaveFocus();
  await expect
    .element(sum.getByRole("status"))
    .toMatchTextContent(/合計を計算しています….*16,500円/);
  resolve();
  await expect.element(sum).toMatchTextContent(/小計.*16,500円.*冬の講習応援.*−2,475円/);
  await expect.element(sum.getByRole("status")).toMatchTextContent(/1点.*14,025円（税込）/);
  await expect.element(screen.getByText("2,475円引きになりました。")).toBeVisible();
  await expect.element(takeOff).toHaveFocus();
  expect(await faults(screen.container)).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(use).toHaveFocus();
  await expect.element(sum).not.toMatchTextContent(/小計/);
});

test("a coupon that the server refuses is reset, and the reason is shown", async () => {
  const { screen } = await openCart(PATH, {
    [CART]: () => cart(),
    [LIST]: () => couponsOf([winter]),
    [APPLY]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await use.click();
  await expect.element(screen.getByText(/「冬の講習応援」を使えませんでした。/)).toBeVisible();
  await expect.element(use).toBeVisible();
  await expect.element(sum.getByRole("status")).toMatchTextContent(/1点.*16,500円/);
});

test("the best combination is applied by one press", async () => {
  let now = cart();
  const { screen, calls } = await openCart(PATH, {
    [CART]: () => now,
    [LIST]: () => couponsOf([winter, welcome], [2, 1]),
    [APPLY]: () => (now = cart(applied())),
    "PUT commerce/cart/coupon/1/": () =>
      (now = cart(applied(), applied({ id: 1, name: welcome.name, amount: 1000 }))),
  });
  const proposal = screen.getByRole("region", { name: "このカートでいちばんお得な組み合わせ" });
  await expect
    .element(proposal)
    .toMatchTextContent(/冬の講習応援−2,475円はじめての1,000円引き−1,000円/);
  expect(await faults(screen.container)).toEqual([]);
  await proposal.getByRole("button", { name: "この組み合わせを使う" }).click();
  await expect.element(sum.getByRole("status")).toMatchTextContent(/13,025円（税込）/);
  await expect.element(proposal).not.toBeInTheDocument();
  await expect.element(screen.getByText("いちばんお得な組み合わせを使っています。")).toBeVisible();
  expect(calls.filter(({ call }) => call.startsWith("PUT"))).toHaveLength(2);
});

test("a combination that fails halfway shows the applied part", async () => {
  const { screen } = await openCart(PATH, {
    [CART]: () => cart(),
    [LIST]: () => couponsOf([winter, welcome], [2, 1]),
    [APPLY]: () => cart(applied()),
    "PUT commerce/cart/coupon/1/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await screen.getByRole("button", { name: "この組み合わせを使う" }).click();
  await expect.element(screen.getByText(/^クーポンを使えませんでした。/)).toBeVisible();
  await expect.element(sum.getByRole("status")).toMatchTextContent(/1点.*14,025円/);
  await expect.element(screen.getByRole("button", { name: "この組み合わせを使う" })).toBeVisible();
});

test("an entered code is claimed and applied to the cart", async () => {
  let now = cart();
  let mine = couponsOf([]);
  const { screen, calls } = await openCart(PATH, {
    [CART]: () => now,
    [LIST]: () => mine,
    [CLAIM]: () => {
      mine = couponsOf([winter], [2]);
      return winter;
    },
    [APPLY]: () => (now = cart(applied())),
  });
  await expect.element(screen.getByText(/いま使えるクーポンはありません/)).toBeVisible();
  await field.fill("  ｆｕｙｕ15 ");
  await userEvent.keyboard("{Enter}");
  await expect.element(sum.getByRole("status")).toMatchTextContent(/14,025円（税込）/);
  await expect.element(field).toHaveValue("");
  await expect.element(takeOff).toBeVisible();
  expect(calls.find(({ call }) => call === CLAIM)?.body).toEqual({ code: "fuyu15" });
});

test("an entered code does not replace another coupon automatically", async () => {
  const autumn = couponOf({ id: 7, name: "秋の応援", saving: 3300 });
  let mine = couponsOf([winter]);
  const { screen, calls } = await openCart(PATH, {
    [CART]: () => cart(applied()),
    [LIST]: () => mine,
    [CLAIM]: () => {
      mine = couponsOf([winter, autumn]);
      return autumn;
    },
  });
  await field.fill("AKI20");
  await add.click();
  await expect.element(screen.getByText("クーポン「秋の応援」を追加しました。")).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "使う（秋の応援）" })).toBeVisible();
  await expect.element(takeOff).toBeVisible();
  expect(calls.filter(({ call }) => call.startsWith("PUT"))).toEqual([]);
});

test.each([
  ["UNKNOWN_COUPON", "このクーポンコードは見つかりませんでした。文字をもう一度ご確認ください。"],
  ["COUPON_EXPIRED", "このクーポンは、有効期限が切れています。"],
  ["COUPON_USED_UP", "このクーポンは、先着の枚数に達したため、受け付けを終わりました。"],
] as const)("an error of a code is shown beside it: %s", async (code, sentence) => {
  const { screen } = await openCart(PATH, {
    [CART]: () => cart(),
    [LIST]: () => couponsOf([]),
    [CLAIM]: () => problem(400, "INVALID", { errors: [{ field: "code", code }] }),
  });
  await field.fill("FUYU16");
  await add.click();
  await expect.element(field).toHaveAccessibleDescription(new RegExp(sentence));
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveValue("FUYU16");
  expect(await faults(screen.container)).toEqual([]);
});

test("an empty or too long code is not sent; a rate limit shows how long to wait", async () => {
  const { screen, calls } = await openCart(PATH, {
    [CART]: () => cart(),
    [LIST]: () => couponsOf([]),
    [CLAIM]: () => problem(429, "RATE_LIMITED", {}, { "retry-after": "60" }),
  });
  await add.click();
  await expect.element(field).toHaveAccessibleDescription(/クーポンコードを入力してください。/);
  await field.fill("A".repeat(33));
  await add.click();
  await expect.element(field).toHaveAccessibleDescription(/32文字以内で入力してください。/);
  expect(calls.filter(({ call }) => call === CLAIM)).toEqual([]);
  await field.fill("FUYU16");
  await add.click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/クーポンを追加できませんでした.*1分ほど待って/);
  await expect.element(field).toHaveValue("FUYU16");
});

test("a visitor is asked to sign in and returns here", async () => {
  const { screen, calls } = await openCart(`${PATH}/2`, {}, null);
  await expect
    .element(screen.getByRole("heading", { name: "クーポンを使うには、ログインが必要です" }))
    .toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
  await screen.getByRole("link", { name: "ログインする" }).click();
  await expect.element(screen.getByLabelText("address")).toHaveTextContent("/login");
  expect(restorePath()).toBe(`${PATH}/2`);
  expect(calls).toEqual([]);
});

test("staff see that they can't buy", async () => {
  const { screen } = await openCart(PATH, {}, { ...learner, scope: ["staff:support"] });
  await expect.element(screen.getByText("このアカウントでは購入できません")).toBeVisible();
});

const GET = "GET commerce/coupon/2/";

test("the screen of a coupon shows its conditions and discount, and applies it", async () => {
  let now = cart();
  const { screen } = await openCart(`${PATH}/2`, {
    [CART]: () => now,
    [GET]: () => couponOf({ product_ids: [1105], minimum: 10_000 }),
    "GET commerce/product/1105/": () => productOf(1105, { name: "中3数学" }),
    [APPLY]: () => (now = cart(applied())),
  });
  await expect.element(screen.getByRole("heading", { level: 1 })).toHaveTextContent(winter.name);
  const conditions = screen.getByRole("region", { name: "クーポンの条件" });
  await expect
    .element(conditions)
    .toMatchTextContent(
      /2026年11月1日\(日\)から2027年1月31日\(日\)まで.*中3数学.*10,000円（税込）以上.*おひとり1回（あと1回）.*いっしょに使えます.*FUYU15/,
    );
  await expect
    .element(conditions.getByRole("link", { name: "中3数学" }))
    .toHaveAttribute("href", "/course/105");
  await expect.element(screen.getByText("いまのカートで2,475円お得")).toBeVisible();
  await use.click();
  await expect
    .element(screen.getByRole("region", { name: "このカートで使う" }).getByRole("status"))
    .toMatchTextContent(/14,025円（税込）/);
  expect(await faults(screen.container)).toEqual([]);
});

test.each([
  ["SCOPE", /このクーポンを使える商品がありません/],
  ["EMPTY_CART", /カートに、購入できる商品がありません/],
  ["FIRST_ORDER_ONLY", /はじめてのご注文にだけ使えます/],
  ["MINIMUM", /あと13,500円分をカートに入れると使えます/],
] as const satisfies readonly (readonly [CouponProblem, RegExp])[])(
  "a coupon without a discount shows the reason: %s",
  async (given, sentence) => {
    const { screen } = await openCart(`${PATH}/2`, {
      [CART]: () => cart(),
      [GET]: () => couponOf({ problem: given, saving: 0, minimum: 30_000 }),
    });
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(use).not.toBeInTheDocument();
  },
);

test("a coupon of another account is not found", async () => {
  const { screen } = await openCart(`${PATH}/2`, { [CART]: () => cart() });
  await expect.element(screen.getByRole("heading", { name: "not found" })).toBeVisible();
});
