import type { SavedCard } from "@konomana/cart";
import { done, json, learner, problem } from "@konomana/testing";
import axe from "axe-core";
import { expect, test } from "vitest";
import { page } from "vitest/browser";
import { openFor } from "../settingsTesting";
import { CardSettingsScreen } from "./CardSettingsScreen";

const PAGE = "/mypage/settings/card";
const FIND = "GET commerce/card/";
const CHECK = "POST commerce/card/check/";
const SET_UP = "POST commerce/card/setup/";
const REMOVE = "DELETE commerce/card/";

function cardOf(given: Partial<SavedCard> = {}): SavedCard {
  return {
    brand: "visa",
    last4: "4242",
    exp_month: 12,
    exp_year: 2034,
    is_expired: false,
    is_needed: false,
    ...given,
  };
}

/** Accessibility faults that axe finds at phone width, and whether the page scrolls sideways. */
async function faults(container: Element): Promise<string[]> {
  await page.viewport(360, 800);
  const { violations } = await axe.run(container);
  const found = violations.map(({ id }) => id);
  return document.documentElement.scrollWidth > 360 ? [...found, "wider than 360 px"] : found;
}

const open = (answers: Parameters<typeof openFor>[2], path = PAGE) =>
  openFor(learner, CardSettingsScreen, answers, path);

test("the saved card shows its brand, its last digits and its expiry month", async () => {
  const { screen } = await open({ [FIND]: () => json({ card: cardOf() }) });
  await expect.element(screen.getByText("Visa（末尾 4242）", { exact: true })).toBeVisible();
  await expect.element(screen.getByText("有効期限 2034年12月")).toBeVisible();
  expect(await faults(screen.container)).toEqual([]);
});

test("without a card, one press opens the provider's page once", async () => {
  const page_url = `${location.href.split("#")[0]}#card`;
  const { screen, calls } = await open({
    [FIND]: () => json({ card: null }),
    [SET_UP]: () => json({ page_url }),
  });
  const button = screen.getByRole("button", { name: "カードを登録する" });
  await button.click();
  await expect.poll(() => location.hash).toBe("#card");
  history.back();
  await screen
    .getByRole("button", { name: "決済会社のページを開いています…" })
    .click({ force: true });
  expect(calls.filter(({ call }) => call === SET_UP)).toHaveLength(1);
  dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await expect.element(button).toBeVisible();
});

test("a provider's page that can't be created shows the reason", async () => {
  const { screen } = await open({
    [FIND]: () => json({ card: null }),
    [SET_UP]: () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await screen.getByRole("button", { name: "カードを登録する" }).click();
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/カードを入力するページを開けませんでした/);
});

test("after returning from the provider, the server checks the card, and it is shown", async () => {
  const { screen, calls } = await open(
    { [CHECK]: () => json({ card: cardOf() }) },
    `${PAGE}?setup=done`,
  );
  await expect.element(screen.getByText("カードを登録しました")).toBeVisible();
  await expect.element(screen.getByText("Visa（末尾 4242）", { exact: true })).toBeVisible();
  expect(calls.map(({ call }) => call)).toEqual([CHECK]);
  expect(await faults(screen.container)).toEqual([]);
});

test("when the provider does not have the card yet, it is checked again", async () => {
  let card: SavedCard | null = null;
  const { screen } = await open({ [CHECK]: () => json({ card }) }, `${PAGE}?setup=done`);
  await expect.element(screen.getByText("カードの登録を確認できませんでした")).toBeVisible();
  card = cardOf();
  await screen.getByRole("button", { name: "もう一度確かめる" }).click();
  await expect.element(screen.getByText("カードを登録しました")).toBeVisible();
});

test("returning without a card changes nothing", async () => {
  const { screen } = await open(
    { [FIND]: () => json({ card: cardOf() }) },
    `${PAGE}?setup=cancelled`,
  );
  await expect.element(screen.getByText("カードの登録をやめました")).toBeVisible();
  await expect.element(screen.getByText("Visa（末尾 4242）", { exact: true })).toBeVisible();
});

test("a card is removed by the second press, also right after it was saved", async () => {
  const { screen, calls, blue } = await open(
    { [CHECK]: () => json({ card: cardOf() }), [REMOVE]: () => done() },
    `${PAGE}?setup=done`,
  );
  await screen.getByRole("button", { name: "カードを削除する" }).click();
  expect(calls.some(({ call }) => call === REMOVE)).toBe(false);
  await screen.getByRole("dialog").getByRole("button", { name: "削除する" }).click();
  await expect.element(screen.getByText("カードは登録されていません。")).toBeVisible();
  expect(screen.getByText(/確認できませんでした/).elements()).toEqual([]);
  expect(blue()).toBe("カードを削除しました。");
  await expect.element(screen.getByRole("main")).toHaveFocus();
});

test("a card used by a subscription can be replaced, and the page shows why it can't be removed", async () => {
  const { screen } = await open({ [FIND]: () => json({ card: cardOf({ is_needed: true }) }) });
  await expect.element(screen.getByRole("button", { name: "カードを変える" })).toBeVisible();
  await expect.element(screen.getByText(/このカードは削除できません/)).toBeVisible();
  expect(screen.getByRole("button", { name: "カードを削除する" }).elements()).toEqual([]);
  expect(await faults(screen.container)).toEqual([]);
});

test("removing a card that a subscription needs meanwhile fails with the reason", async () => {
  const { screen } = await open({
    [FIND]: () => json({ card: cardOf() }),
    [REMOVE]: () => problem(409, "CARD_NEEDED"),
  });
  await screen.getByRole("button", { name: "カードを削除する" }).click();
  const dialog = screen.getByRole("dialog");
  await dialog.getByRole("button", { name: "削除する" }).click();
  await expect
    .element(dialog.getByRole("alert"))
    .toMatchTextContent(/月額サービスのお支払いに使っているため/);
});

test("an expired card is labelled", async () => {
  const { screen } = await open({
    [FIND]: () => json({ card: cardOf({ is_expired: true, is_needed: true }) }),
  });
  await expect
    .element(screen.getByRole("main").getByRole("alert"))
    .toMatchTextContent(/有効期限が切れています.*月額サービスを続けるために/);
  expect(await faults(screen.container)).toEqual([]);
});
