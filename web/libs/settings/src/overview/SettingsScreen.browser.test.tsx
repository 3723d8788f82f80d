import { json, learner, problem } from "@konomana/testing";
import { expect, test } from "vitest";
import { openFor } from "../settingsTesting";
import { SettingsScreen } from "./SettingsScreen";

const answers = { "GET accounts/address/": () => problem(502, "UPSTREAM_UNAVAILABLE") };

test("a learner sees their name and school year, a guardian only the name", async () => {
  const own = await openFor(learner, SettingsScreen, answers);
  await expect.element(own.screen.getByText("木下 葵さん・高1")).toBeVisible();
  await own.screen.unmount();
  const guardian = { ...learner, scope: ["guardian"], school_year: "既卒" };
  const { screen } = await openFor(guardian, SettingsScreen, answers);
  await expect.element(screen.getByText("木下 葵さん", { exact: true })).toBeVisible();
});

test("the saved card is shown, and is urgent when a subscription can no longer be charged to it", async () => {
  const card = {
    brand: "jcb",
    last4: "0505",
    exp_month: 1,
    exp_year: 2026,
    is_expired: true,
    is_needed: true,
  };
  const { screen } = await openFor(learner, SettingsScreen, {
    ...answers,
    "GET commerce/card/": () => json({ card }),
  });
  await expect.element(screen.getByText("JCB（末尾 0505）")).toBeVisible();
  await expect.element(screen.getByText("有効期限切れ")).toBeVisible();
});

test("staff can't buy and have no card entry", async () => {
  const staff = { ...learner, scope: ["staff:support"] };
  const { screen, calls } = await openFor(staff, SettingsScreen, answers);
  await expect.element(screen.getByText("ログイン中の端末")).toBeVisible();
  expect(screen.getByText("お支払いのカード").elements()).toEqual([]);
  expect(calls.some(({ call }) => call.includes("card"))).toBe(false);
});
