import { cartOf, lineOf, productOf } from "@konomana/cart/testing";
import { expect, test } from "vitest";
import { inventoryOf, itemOf, listOf } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import { open } from "../testing/learner";

const course = itemOf().course;
const bookmark = { course, is_check: false, created: "2026-11-20T09:00:00Z" };
const product = productOf(1101, {
  course_id: course.id,
  price: 13_200,
  sale_ends_at: "2026-12-20T15:00:00Z",
});

const shop = {
  "GET lms/bookmark/": () => listOf(bookmark),
  "GET commerce/product/": () => listOf(product),
  "GET commerce/cart/": () => cartOf(),
};

test("a bookmarked course has its price and can be added to the cart", async () => {
  const { screen, calls } = await open("/mypage/bookmark", {
    answers: {
      ...shop,
      "GET lms/inventory/": () => inventoryOf(),
      "POST commerce/cart/line/": () => cartOf([lineOf(product)]),
    },
  });
  await expect.element(screen.getByText("13,200円（税込）")).toBeVisible();
  await expect.element(screen.getByText("販売は2026年12月20日(日)まで")).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
  await screen.getByRole("button", { name: `カートに入れる（${course.name}）` }).click();
  await expect.element(screen.getByRole("link", { name: /カートを見る/ })).toHaveFocus();
  expect(calls).toContain("POST commerce/cart/line/");
});

test("an expired course can be bought again, a usable one can't", async () => {
  const expired = itemOf({ is_expired: true, expire_at: "2026-01-31T14:59:59Z" });
  const first = await open("/mypage/bookmark", {
    answers: { ...shop, "GET lms/inventory/": () => inventoryOf(expired) },
  });
  await expect.element(first.screen.getByText("期限切れ")).toBeVisible();
  await expect
    .element(first.screen.getByRole("button", { name: /^もう一度購入する/ }))
    .toBeVisible();
  await first.screen.unmount();

  const second = await open("/mypage/bookmark", {
    answers: { ...shop, "GET lms/inventory/": () => inventoryOf(itemOf()) },
  });
  await expect.element(second.screen.getByText("持っています")).toBeVisible();
  await expect
    .element(second.screen.getByRole("button", { name: /購入する|カートに入れる/ }))
    .not.toBeInTheDocument();
});
