import { problem } from "@konomana/testing";
import { expect, test } from "vitest";
import type { Subscription } from "../api";
import {
  faults,
  open,
  ORDER,
  SUBSCRIPTION,
  subscriptionOf,
  subscriptionOrder,
} from "../orderTesting";

const PAGE = `/mypage/history/subscribe/${SUBSCRIPTION}`;
const FIND = "GET commerce/subscription/{id}/";
const CANCEL = "POST commerce/subscription/{id}/cancel/";
const RESUME = "POST commerce/subscription/{id}/resume/";

const cancelled = (given: Partial<Subscription> = {}) =>
  subscriptionOf({
    state: "cancel_scheduled",
    next_charge_at: null,
    cancel_until: null,
    ends_at: "2026-12-24T15:00:00Z",
    can_cancel: false,
    can_resume: true,
    ...given,
  });

test("a subscription shows its next charge, how to cancel it, its card and its charges", async () => {
  const { screen } = await open(PAGE, { [FIND]: () => subscriptionOf() });
  const main = screen.getByRole("main");
  await expect.element(main.getByRole("status").first()).toHaveTextContent("ご利用中");
  const contract = screen.getByRole("region", { name: "契約の内容" });
  await expect
    .element(contract)
    .toMatchTextContent(/次のお支払いは2026年12月25日\(金\)、2,980円です/);
  await expect
    .element(contract)
    .toMatchTextContent(/2026年12月24日\(木\)までに解約すると、次のお支払いはありません/);
  await expect
    .element(screen.getByRole("region", { name: "お支払いのカード" }))
    .toMatchTextContent(/Visa（末尾 4242）.*有効期限 2034年12月/);
  await expect
    .element(screen.getByRole("link", { name: "領収書（KM-261125-7Q4F2）" }))
    .toHaveAttribute("href", `/mypage/history/${ORDER}/purchase`);
  expect(await faults(screen.container)).toEqual([]);
});

test("it is cancelled by the second press, after the effect and the end of use are shown", async () => {
  const { screen, calls } = await open(PAGE, {
    [FIND]: () => subscriptionOf(),
    [CANCEL]: () => cancelled(),
  });
  await screen.getByRole("button", { name: "解約する" }).click();
  expect(calls).not.toContain(CANCEL);
  const dialog = screen.getByRole("dialog");
  await expect
    .element(dialog)
    .toMatchTextContent(
      /次の更新からは請求しません。2026年12月24日\(木\)まで、これまでどおり使えます/,
    );
  await dialog.getByRole("button", { name: "解約する" }).click();
  await expect.element(screen.getByText("解約の手続き済み")).toBeVisible();
  await expect.element(screen.getByText(/次のお支払いはありません。$/)).toBeVisible();
  await expect.element(screen.getByRole("main")).toHaveFocus();
});

test("a cancellation is reverted, after the next charge is shown", async () => {
  const { screen } = await open(PAGE, {
    [FIND]: () => cancelled(),
    [RESUME]: () => subscriptionOf(),
  });
  const button = screen.getByRole("button", { name: "解約を取り消して続ける" });
  await expect.element(button).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
  await button.click();
  const dialog = screen.getByRole("dialog");
  await expect
    .element(dialog)
    .toMatchTextContent(/次のお支払いは2026年12月25日\(金\)、2,980円です/);
  await dialog.getByRole("button", { name: "続ける" }).click();
  await expect.element(screen.getByText("ご利用中", { exact: true })).toBeVisible();
});

test("a subscription that ended meanwhile shows its end", async () => {
  let now = subscriptionOf();
  const { screen } = await open(PAGE, {
    [FIND]: () => now,
    [CANCEL]: () => {
      now = subscriptionOf({
        state: "ended",
        ends_at: "2026-11-24T15:00:00Z",
        next_charge_at: null,
        can_cancel: false,
      });
      return problem(409, "SUBSCRIPTION_ENDED");
    },
  });
  await screen.getByRole("button", { name: "解約する" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "解約する" }).click();
  await expect.element(screen.getByText("2026年11月24日(火)に終了しました。")).toBeVisible();
  expect(screen.getByRole("button", { name: "解約する" }).elements()).toEqual([]);
});

test("a lost response is shown in the dialog, and the same press can be retried", async () => {
  let isDown = true;
  const { screen } = await open(PAGE, {
    [FIND]: () => subscriptionOf(),
    [CANCEL]: () => {
      if (isDown) throw new TypeError("Failed to fetch");
      return cancelled();
    },
  });
  await screen.getByRole("button", { name: "解約する" }).click();
  const yes = screen.getByRole("dialog").getByRole("button", { name: "解約する" });
  await yes.click();
  await expect.element(screen.getByRole("dialog").getByRole("alert")).toBeVisible();
  isDown = false;
  await yes.click();
  await expect.element(screen.getByText("解約の手続き済み")).toBeVisible();
});

test("a failed charge shows the reason, the next attempt and what to do", async () => {
  const { screen } = await open(PAGE, {
    [FIND]: () =>
      subscriptionOf({
        state: "past_due",
        decline_code: "expired_card",
        next_charge_at: null,
        retry_at: "2026-12-26T00:00:00Z",
        ends_at: "2026-12-31T15:00:00Z",
      }),
  });
  const alert = screen.getByRole("main").getByRole("alert");
  await expect.element(alert).toMatchTextContent(/有効期限が切れています/);
  await expect
    .element(alert)
    .toMatchTextContent(/2026年12月26日\(土\)に、自動でもう一度.*2026年12月31日\(木\)で終了します/);
  await expect
    .element(alert.getByRole("link", { name: "カードを変える" }))
    .toHaveAttribute("href", "/mypage/settings/card");
  expect(await faults(screen.container)).toEqual([]);
});

test("without a card, the page asks for one", async () => {
  const { screen } = await open(PAGE, { [FIND]: () => subscriptionOf({ card: null }) });
  await expect.element(screen.getByText(/カードが登録されていません/)).toBeVisible();
});

test.each(["1", SUBSCRIPTION])("%s of another account is not found", async (id) => {
  const { screen } = await open(`/mypage/history/subscribe/${id}`, {});
  await expect.element(screen.getByText("not found")).toBeVisible();
});

test("after returning from the provider, the subscription, its next charge and how to cancel are shown", async () => {
  const { screen } = await open(`/payment/complete/subscribe?order=${ORDER}`, {
    "POST commerce/order/{id}/check/": () => subscriptionOrder(),
    [FIND]: () => subscriptionOf(),
  });
  await expect
    .element(screen.getByRole("heading", { name: "お申し込みが完了しました" }))
    .toBeVisible();
  const service = screen.getByRole("region", { name: "月額サービス" });
  await expect
    .element(service)
    .toMatchTextContent(
      /次のお支払いは2026年12月25日\(金\)、2,980円.*12月24日\(木\)までに解約すると/,
    );
  await expect
    .element(service.getByRole("link", { name: "契約の内容と解約" }))
    .toHaveAttribute("href", PAGE);
  // A monthly service has no course to start.
  expect(screen.getByRole("link", { name: /講座を始める/ }).elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
});
