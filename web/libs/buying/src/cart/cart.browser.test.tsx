import { visitorCart } from "@konomana/cart";
import { cartOf, emptyBrowser, lineOf } from "@konomana/cart/testing";
import { learner, problem } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { openCart } from "../cartScreensTesting";
import { faults, ORDER } from "../orderTesting";
import { CART, child, english, guardian, LINE, math, mathLine } from "./cartProductsTesting";

beforeEach(emptyBrowser);

test("a cart shows product, period and price, and links to the confirmation", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine, lineOf(english)]),
  });
  await expect
    .element(screen.getByRole("link", { name: math.name }))
    .toHaveAttribute("href", "/course/105");
  const rows = screen.getByRole("listitem");
  await expect.element(rows.nth(0)).toMatchTextContent(/利用期間 365日間.*16,500円/);
  await expect.element(rows.nth(1)).toMatchTextContent(/中1英語.*13,200円/);
  await expect.element(rows.nth(1)).not.toMatchTextContent(/利用期間/);
  const sum = screen.getByRole("region", { name: "合計" });
  await expect.element(sum.getByRole("status")).toMatchTextContent(/2点.*29,700円（税込）/);
  await expect
    .element(sum.getByRole("link", { name: "購入手続きへ" }))
    .toHaveAttribute("href", "/cart/confirm");
  expect(await faults(screen.container)).toEqual([]);
});

test("a line is removed and restored by keyboard", async () => {
  let cart = cartOf([mathLine]);
  const { screen, calls } = await openCart("/cart", {
    [CART]: () => cart,
    "DELETE commerce/cart/line/{id}/": () => (cart = cartOf()),
    "POST commerce/cart/line/": () => (cart = cartOf([mathLine])),
  });
  const remove = screen.getByRole("button", { name: `削除（${math.name}）` });
  await expect.element(remove).toBeVisible();
  (remove.element() as HTMLElement).focus();
  await userEvent.keyboard("{Enter}");
  const undo = screen.getByRole("button", { name: `元に戻す（${math.name}）` });
  await expect.element(undo).toHaveFocus();
  await expect.element(screen.getByText(`「${math.name}」をカートから出しました。`)).toBeVisible();
  await expect.element(screen.getByText("合計（0点）")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(remove).toBeVisible();
  await expect.element(screen.getByRole("list", { name: "カートの中の講座" })).toHaveFocus();
  expect(calls.at(-1)?.body).toEqual({ product: 1105, learner: learner.id });
});

test("a line that can't be removed stays, and the reason is shown", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine]),
    "DELETE commerce/cart/line/{id}/": () => problem(409, "ORDER_OPEN"),
  });
  await screen.getByRole("button", { name: `削除（${math.name}）` }).click();
  await expect.element(screen.getByText(/をカートから出せませんでした。/)).toBeVisible();
  await expect.element(screen.getByRole("link", { name: math.name })).toBeVisible();
});

test("a guardian of several children selects the learner of a course", async () => {
  const aoi = { id: learner.id, name: "木下 葵", lacks_consent: false, is_consent_asked: false };
  const learners = [aoi, { ...aoi, ...child }];
  const { screen, calls } = await openCart(
    "/cart",
    {
      [CART]: () => cartOf([mathLine], { learners }),
      "PUT commerce/cart/line/{id}/": () =>
        cartOf([lineOf(math, { learner: child })], { learners }),
    },
    { ...guardian, id: "018f0000-0000-7000-8000-000000000009" },
  );
  const field = screen.getByLabelText(`受講する方（${math.name}）`);
  await expect.element(field).toHaveValue(learner.id);
  await field.selectOptions("木下 陽さん");
  await expect.element(field).toHaveValue(child.id);
  expect(calls.at(-1)).toEqual({ call: `PUT ${LINE}`, body: { learner: child.id } });
  expect(await faults(screen.container)).toEqual([]);
});

const open_order = {
  id: ORDER,
  number: "KM-261125-7Q4F2",
  total: 16_500,
  due_at: "2026-11-25T02:00:00Z",
};

test("an open order is shown with its deadline, and its lines can't be changed", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([{ ...mathLine, is_ordered: true }, lineOf(english)], { open_order }),
  });
  const panel = screen.getByRole("region", { name: "お支払い手続き中のご注文" });
  await expect
    .element(panel)
    .toMatchTextContent(/KM-261125-7Q4F2・16,500円（税込）.*11月25日\(水\) 11:00までに/);
  await expect
    .element(panel.getByRole("link", { name: "支払いを続ける" }))
    .toHaveAttribute("href", `/payment?order=${ORDER}`);
  await expect
    .element(panel.getByRole("link", { name: "注文の詳細" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}`);
  await expect
    .element(screen.getByRole("button", { name: `削除（${math.name}）` }))
    .not.toBeInTheDocument();
  await expect.element(screen.getByText("合計（1点）")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "購入手続きへ" })).not.toBeInTheDocument();
  expect(await faults(screen.container)).toEqual([]);
});

test("a cart with only the open order shows no second total", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([{ ...mathLine, is_ordered: true }], { open_order }),
  });
  await expect.element(screen.getByText(math.name)).toBeVisible();
  await expect.element(screen.getByRole("region", { name: "合計" })).not.toBeInTheDocument();
});

test("an empty cart links to the courses", async () => {
  const { screen } = await openCart("/cart", { [CART]: () => cartOf() });
  await expect
    .element(screen.getByRole("link", { name: "講座をさがす" }))
    .toHaveAttribute("href", "/course");
  await expect.element(screen.getByRole("heading", { name: "カートは空です" })).toBeVisible();
});

test("a guardian without a child sees how to link one, and that nothing is lost", async () => {
  visitorCart.add(1105);
  const { screen } = await openCart(
    "/cart",
    {
      "POST commerce/cart/join/": () => problem(409, "NO_LEARNER"),
      [CART]: () => cartOf([], { learners: [] }),
    },
    guardian,
  );
  await expect.element(screen.getByText(/選んだ1件は、このブラウザに残っています。/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "マイページでお子さまとつながる" }))
    .toHaveAttribute("href", "/mypage");
});

test("a cart that fails to load can be loaded again", async () => {
  let down = true;
  const { screen } = await openCart("/cart", {
    [CART]: () => (down ? problem(500, "INTERNAL") : cartOf([mathLine])),
  });
  const again = screen.getByRole("button", { name: "もう一度試す" });
  await expect.element(again).toBeVisible();
  down = false;
  await again.click();
  await expect.element(screen.getByRole("link", { name: math.name })).toBeVisible();
});

test("the cart fits a phone of 320 px with text of 200 %", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine, lineOf(english, { problem: "not_on_sale" })]),
  });
  await expect.element(screen.getByRole("link", { name: math.name })).toBeVisible();
  await page.viewport(320, 740);
  document.documentElement.style.fontSize = "200%";
  const { scrollWidth } = document.documentElement;
  document.documentElement.style.fontSize = "";
  expect(scrollWidth).toBe(320);
});

const winter = { id: 2, name: "冬の講習応援", amount: 2475, problem: null };

test("the coupons of the cart are shown with their discount, or with the reason for none", async () => {
  const siblings = { id: 3, name: "きょうだい割", amount: 0, problem: "MINIMUM" } as const;
  let now = cartOf([mathLine], { coupons: [winter, siblings] });
  const { screen } = await openCart("/cart", {
    [CART]: () => now,
    "DELETE commerce/cart/coupon/3/": () => (now = cartOf([mathLine], { coupons: [winter] })),
  });
  const sum = screen.getByRole("region", { name: "合計" });
  await expect
    .element(sum)
    .toMatchTextContent(/小計16,500円クーポン「冬の講習応援」−2,475円.*14,025円（税込）/);
  const rows = sum.getByRole("list", { name: "カートのクーポン" }).getByRole("listitem");
  await expect.element(rows.nth(1)).toMatchTextContent(/きょうだい割.*金額に足りません/);
  await expect
    .element(rows.nth(1).getByRole("link", { name: "きょうだい割" }))
    .toHaveAttribute("href", "/cart/coupon/3");
  await expect
    .element(sum.getByRole("link", { name: "クーポンを変える" }))
    .toHaveAttribute("href", "/cart/coupon");
  expect(await faults(screen.container)).toEqual([]);
  await sum.getByRole("button", { name: "外す（きょうだい割）" }).click();
  await expect.poll(() => rows.elements()).toHaveLength(1);
});

test("a cart without coupons links to them and shows no subtotal", async () => {
  const { screen } = await openCart("/cart", { [CART]: () => cartOf([mathLine]) });
  const sum = screen.getByRole("region", { name: "合計" });
  await expect.element(sum.getByRole("link", { name: "クーポンを使う" })).toBeVisible();
  await expect.element(sum).not.toMatchTextContent(/小計/);
});

const ASK = "POST commerce/cart/ask/";

test("a learner sends the cart to a guardian and sees when it was sent", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine]),
    [ASK]: () => ({ asked: 1, asked_at: "2026-11-25T01:00:00Z" }),
  });
  await screen.getByRole("button", { name: "保護者にお願いする" }).click();
  await expect
    .element(screen.getByText(/^2026年11月25日\(水\) 10:00に、保護者の方にお願いしました。/))
    .toBeVisible();
  await expect.element(screen.getByRole("button", { name: "もう一度お願いする" })).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});

test("a learner without a linked guardian gets a link to link one", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine]),
    [ASK]: () => problem(409, "NO_GUARDIAN"),
  });
  await screen.getByRole("button", { name: "保護者にお願いする" }).click();
  await expect
    .element(screen.getByRole("link", { name: "保護者の方とつながる" }))
    .toHaveAttribute("href", "/mypage/settings/guardian");
  expect(await faults(screen.container)).toEqual([]);
});

test("sending the cart again too soon shows how long to wait", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([mathLine], { asked_at: "2026-11-25T01:00:00Z" }),
    [ASK]: () => problem(429, "RATE_LIMITED", {}, { "retry-after": "480" }),
  });
  await screen.getByRole("button", { name: "もう一度お願いする" }).click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/お願いを送れませんでした.*8分ほど待って/);
});

test("a guardian sees which learner a line is from, and has no button to send the cart", async () => {
  const { screen } = await openCart(
    "/cart",
    { [CART]: () => cartOf([{ ...mathLine, asked_by: { id: learner.id, name: "木下 葵" } }]) },
    { ...guardian, id: "018f0000-0000-7000-8000-000000000009" },
  );
  await expect.element(screen.getByText("木下 葵さんからのお願いです。")).toBeVisible();
  await expect
    .element(screen.getByRole("button", { name: "保護者にお願いする" }))
    .not.toBeInTheDocument();
});

test("when the guardian has consented, the cart updates on the next focus", async () => {
  let isMissing = true;
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(math, { problem: isMissing ? "consent_missing" : null })]),
  });
  const goOn = screen.getByRole("link", { name: "購入手続きへ" });
  await expect.element(screen.getByText(/保護者の方の同意が必要/)).toBeVisible();
  await expect.element(goOn).not.toBeInTheDocument();
  isMissing = false;
  dispatchEvent(new Event("visibilitychange"));
  await expect.element(goOn).toBeVisible();
  await expect.element(screen.getByText("合計（1点）")).toBeVisible();
});
