import { cartOf, emptyBrowser, lineOf, productOf } from "@konomana/cart/testing";
import { inventoryOf, itemOf, learner } from "@konomana/testing";
import { beforeEach, expect, test } from "vitest";
import { openCart } from "../cartScreensTesting";
import { faults } from "../orderTesting";
import { CART, child, guardian, math, mathLine, monthly, seat } from "./cartProductsTesting";

const INVENTORY = "GET lms/inventory/";

beforeEach(emptyBrowser);

test("a monthly service shows its price per month and its automatic renewal", async () => {
  const { screen } = await openCart("/cart", { [CART]: () => cartOf([lineOf(monthly)]) });
  await expect
    .element(screen.getByRole("listitem"))
    .toMatchTextContent(/質問し放題.*1か月ごとに自動更新.*月2,980円/);
  await expect.element(screen.getByRole("link", { name: "購入手続きへ" })).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});

test("a monthly service in use links to its subscription", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(monthly, { problem: "owned" })]),
  });
  const row = screen.getByRole("listitem");
  await expect.element(row).toMatchTextContent("すでにお申し込み済みです。");
  await expect
    .element(row.getByRole("link", { name: "ご契約中の月額サービスを見る" }))
    .toHaveAttribute("href", "/mypage/history");
});

test.each([
  ["owned", /すでに購入済みです。/, "学習ページを開く", "/mypage/learnning/7"],
  ["not_on_sale", /いまは販売していません。/, "ほかの講座をさがす", "/course"],
  [
    "consent_missing",
    /保護者の方の同意が必要/,
    "保護者の方に同意をお願いする",
    "/mypage/settings/base",
  ],
] as const)(
  "a line shows why it can't be bought, and what to do: %s",
  async (given, text, name, to) => {
    const { screen } = await openCart("/cart", {
      [CART]: () => cartOf([lineOf(math, { problem: given })]),
      [INVENTORY]: () => inventoryOf(itemOf({ id: 7, course: { id: 105 } })),
    });
    const row = screen.getByRole("listitem");
    await expect.element(row).toMatchTextContent(text);
    await expect.element(row.getByRole("link", { name })).toHaveAttribute("href", to);
    await expect
      .element(screen.getByRole("link", { name: "購入手続きへ" }))
      .not.toBeInTheDocument();
    expect(await faults(screen.container)).toEqual([]);
  },
);

test("an exam seat is for one candidate, once", async () => {
  const { screen } = await openCart(
    "/cart",
    {
      [CART]: () =>
        cartOf([lineOf(seat, { learner: child })], {
          learners: [{ ...child, lacks_consent: false, is_consent_asked: false }],
        }),
    },
    guardian,
  );
  const row = screen.getByRole("listitem");
  await expect
    .element(row)
    .toMatchTextContent(/コノ模試.*受験 1回.*受験する方：木下 陽さん.*4,400円/);
  expect(await faults(screen.container)).toEqual([]);
});

test("a sold-out exam shows a message and links to the others", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf({ ...seat, places_left: 0 }, { problem: "sold_out" })]),
  });
  const row = screen.getByRole("listitem");
  await expect.element(row).toMatchTextContent(/定員に達したため、いまはお申し込みできません。/);
  await expect
    .element(row.getByRole("link", { name: "ほかの模試を見る" }))
    .toHaveAttribute("href", "/konomoshi");
  await expect.element(screen.getByRole("link", { name: "購入手続きへ" })).not.toBeInTheDocument();
  expect(await faults(screen.container)).toEqual([]);
});

test("a product that the other account has ordered shows that it can be bought once that order ends", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(math, { problem: "ordered_elsewhere" })]),
  });
  const row = screen.getByRole("listitem");
  await expect
    .element(row)
    .toMatchTextContent(/保護者の方が、同じ商品を注文していて.*取り消されるか期限が過ぎると/);
  await expect.element(row.getByRole("button", { name: /^削除/ })).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "購入手続きへ" })).not.toBeInTheDocument();
  expect(await faults(screen.container)).toEqual([]);
});

test("an exam seat that a learner already has links to its exam", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(seat, { problem: "owned" })]),
  });
  const row = screen.getByRole("listitem");
  await expect.element(row).toMatchTextContent("すでにお申し込み済みです。");
  await expect
    .element(row.getByRole("link", { name: "模試のページを開く" }))
    .toHaveAttribute("href", "/mypage/mockexam/2");
});

test("a line shows the end of its sale while it can be bought", async () => {
  const sale_ends_at = "2026-12-20T15:00:00Z";
  const { screen } = await openCart("/cart", {
    [CART]: () =>
      cartOf([
        lineOf(productOf(1105, { sale_ends_at })),
        lineOf({ ...seat, sale_ends_at }),
        lineOf(productOf(1106, { sale_ends_at, is_on_sale: false }), { problem: "not_on_sale" }),
      ]),
  });
  const rows = screen.getByRole("main").getByRole("listitem");
  await expect.element(rows.nth(0)).toMatchTextContent("販売は2026年12月20日(日)まで");
  await expect.element(rows.nth(1)).toMatchTextContent("申し込みは2026年12月20日(日)まで");
  await expect.element(rows.nth(2)).not.toMatchTextContent("12月20日");
});

test("a product of another kind can only be removed", async () => {
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(math, { problem: "not_offered" })]),
  });
  await expect
    .element(screen.getByText(/まだ購入できません。カートから出してください。/))
    .toBeVisible();
  await expect.element(screen.getByRole("button", { name: /^削除/ })).toBeVisible();
});

test("a line that awaits a guardian's consent shows so", async () => {
  const asked = { id: learner.id, name: "木下 葵", lacks_consent: true, is_consent_asked: true };
  const { screen } = await openCart("/cart", {
    [CART]: () => cartOf([lineOf(math, { problem: "consent_missing" })], { learners: [asked] }),
  });
  await expect.element(screen.getByText(/^お願い済みです。/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "保護者の方に同意をお願いする" }))
    .not.toBeInTheDocument();
});

test("a line of an unlinked learner can be assigned to another learner", async () => {
  const { screen, calls } = await openCart(
    "/cart",
    {
      [CART]: () =>
        cartOf([lineOf(math, { problem: "not_linked", learner: { id: child.id, name: "" } })]),
      "PUT commerce/cart/line/{id}/": () => cartOf([mathLine]),
    },
    { ...guardian, id: "018f0000-0000-7000-8000-000000000009" },
  );
  const field = screen.getByLabelText(`受講する方（${math.name}）`);
  await expect.element(field).toHaveValue("");
  await field.selectOptions("木下 葵さん");
  await expect.element(screen.getByText("受講する方：木下 葵さん")).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ learner: learner.id });
});
