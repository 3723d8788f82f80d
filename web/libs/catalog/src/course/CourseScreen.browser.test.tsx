import { visitorCart } from "@konomana/cart";
import { sessionStore } from "@konomana/session";
import { wantedCourse } from "@konomana/visitor";
import { done, inventoryOf, itemOf, listOf } from "@konomana/testing";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import {
  answers,
  beginAnewEachTime,
  changes,
  course,
  open,
  signIn,
  teacher,
} from "../catalogTesting";

beginAnewEachTime();

test("a course shows its teacher and its outline with the length of each lesson", async () => {
  await open("/course/101");
  await expect.element(page.getByText("第1章")).toBeVisible();
  await expect.element(page.getByText("I am と You are")).toBeVisible();
  await expect.element(page.getByText("8分26秒")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "佐倉みのり 先生" })).toBeVisible();
  await expect.element(page.getByText(teacher.message)).toBeVisible();
});

test("a course shows its price with tax and its period, and can be added to a visitor's cart", async () => {
  await open("/course/101");
  const offer = page.getByRole("complementary", { name: "値段と申し込み" });
  await expect.element(offer.getByRole("paragraph").first()).toHaveTextContent("13,200円（税込）");
  await expect.element(offer.getByText("購入から365日間使えます")).toBeVisible();
  const signUp = offer.getByRole("link", { name: "無料登録して、あとで見るに入れる" });
  await expect.element(signUp).toHaveAttribute("href", "/signup?course=101");
  await offer.getByRole("button", { name: "カートに入れる" }).click();
  await expect
    .element(offer.getByRole("link", { name: "カートに入っています。カートを見る" }))
    .toHaveAttribute("href", "/cart");
  expect(visitorCart.get()).toEqual([1101]);
});

test("a press on the cart button before the session is known counts for the account", async () => {
  await open("/course/101");
  const button = page.getByRole("button", { name: "カートに入れる" });
  await expect.element(button).toBeVisible();
  const pressed = button.element() as HTMLElement;
  signIn();
  await expect.element(page.getByRole("button", { name: "あとで見る" })).toBeVisible();
  pressed.click();
  await expect.poll(() => changes).toEqual(["POST commerce/cart/line/"]);
  expect(visitorCart.get()).toEqual([]);
});

test("a course that a visitor wanted is bookmarked after the sign-up", async () => {
  wantedCourse.keep(101);
  signIn();
  await open("/course/101");
  await expect.poll(() => changes).toEqual(["PUT lms/bookmark/101/"]);
  await expect
    .element(page.getByRole("button", { name: "「あとで見る」に入っています" }))
    .toBeVisible();
});

test("a minor without consent is offered the link to a guardian", async () => {
  signIn();
  const { user } = sessionStore.get();
  if (user) sessionStore.signIn({ ...user, guardian_consent: "missing" });
  await open("/course/101");
  await expect
    .element(page.getByRole("link", { name: "保護者とつながる" }))
    .toHaveAttribute("href", "/mypage/settings/guardian");
});

test("chapters fold, also all at once, and an address with a lesson unfolds its chapter", async () => {
  const { router } = await open("/course/101");
  const lesson = page.getByText("I am と You are");
  await expect.element(lesson).toBeVisible();
  await page.getByText("第1章").click();
  await expect.element(lesson).not.toBeVisible();
  await page.getByRole("button", { name: "すべて開く" }).click();
  await expect.element(lesson).toBeVisible();
  await page.getByRole("button", { name: "すべて閉じる" }).click();
  await expect.element(lesson).not.toBeVisible();
  await router.navigate("/course/101#lesson-2");
  await expect.element(lesson).toBeVisible();
});

test("testimonials show the learners' names and schools", async () => {
  answers["GET desk/success/voice/"] = () => ({
    results: [
      {
        name: "M.S",
        school: "東都みどり高校",
        school_year: "中3",
        text: "短いので続きました。",
        course_ids: [101],
      },
    ],
  });
  await open("/course/101");
  await expect.element(page.getByText("短いので続きました。")).toBeVisible();
  await expect.element(page.getByText("東都みどり高校 合格")).toBeVisible();
  await expect
    .element(page.getByRole("region", { name: "この講座で学んだ人の声" }).getByText("見本"))
    .toBeVisible();
});

test("a visitor can log in to continue with an owned course", async () => {
  await open("/course/101");
  await expect.element(page.getByRole("link", { name: "ログイン" })).toBeVisible();
});

test("持っています is shown when the course is owned, with the way to it", async () => {
  signIn();
  answers["GET lms/inventory/"] = () =>
    inventoryOf(itemOf({ id: 7, course, expire_at: "2027-01-31T15:00:00Z" }));
  await open("/course/101");
  await expect.element(page.getByText("持っています")).toBeVisible();
  await expect.element(page.getByText("2027年1月31日(日)まで")).toBeVisible();
  await expect
    .element(page.getByRole("link", { name: "学習を続ける" }))
    .toHaveAttribute("href", "/mypage/learnning/7");
});

test("an expired course is marked 期限切れ, and can be bought again or bookmarked", async () => {
  signIn();
  answers["GET lms/inventory/"] = () =>
    inventoryOf(itemOf({ id: 7, course, is_expired: true, expire_at: "2026-01-31T14:59:59Z" }));
  await open("/course/101");
  await expect.element(page.getByText("期限切れ")).toBeVisible();
  await expect
    .element(page.getByRole("button", { name: "もう一度購入する（カートに入れる）" }))
    .toBeVisible();
  await page.getByRole("button", { name: "あとで見る" }).click();
  await expect.poll(() => changes).toEqual(["PUT lms/bookmark/101/"]);
});

test("a bookmark survives leaving the page at once", async () => {
  signIn();
  let survives = false;
  answers["PUT lms/bookmark/101/"] = ({ keepalive }) => {
    survives = keepalive;
    return done();
  };
  await open("/course/101");
  await page.getByRole("button", { name: "あとで見る" }).click();
  await expect.poll(() => survives).toBe(true);
});

test("a failed bookmark is taken back with the reason", async () => {
  signIn();
  await open("/course/101");
  const later = page.getByRole("button", { name: "あとで見る" });
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
  answers["PUT lms/bookmark/101/"] = () => Promise.reject(new TypeError("offline"));
  await later.click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent(
      "「あとで見る」に入れられませんでした。インターネットにつながりません。接続を確かめてからお試しください。",
    );
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
});

test("a course that is not owned can be bookmarked", async () => {
  signIn();
  await open("/course/101");
  const later = page.getByRole("button", { name: "あとで見る" });
  await expect.element(later).toHaveAttribute("aria-pressed", "false");
  answers["GET lms/bookmark/"] = () => listOf({ course, is_check: false, created: course.created });
  await later.click();
  await expect
    .element(page.getByRole("button", { name: "「あとで見る」に入っています" }))
    .toHaveAttribute("aria-pressed", "true");
  expect(changes).toEqual(["PUT lms/bookmark/101/"]);
});

test("a guardian buys for a child", async () => {
  signIn();
  const { user } = sessionStore.get();
  if (user) sessionStore.signIn({ ...user, scope: ["guardian"] });
  await open("/course/101");
  await expect.element(page.getByRole("button", { name: "カートに入れる" })).toBeVisible();
  await expect.element(page.getByText("受講するお子さまは、カートで選べます。")).toBeVisible();
});

test("a course that is not on sale has no cart button", async () => {
  answers["GET lms/course/101/"] = () => ({ ...course, product: null });
  await open("/course/101");
  await expect.element(page.getByText("この講座は、いまは販売していません。")).toBeVisible();
  await expect
    .element(page.getByRole("button", { name: "カートに入れる" }))
    .not.toBeInTheDocument();
});
