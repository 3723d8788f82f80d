import { learner, problem } from "@konomana/testing";
import { expect, test } from "vitest";
import { openFor } from "../settingsTesting";
import { SettingsScreen } from "./SettingsScreen";

const answers = { "GET accounts/address/": () => problem(502, "UPSTREAM_UNAVAILABLE") };

test("a learner reads their name and school year, a guardian the name alone", async () => {
  const own = await openFor(learner, SettingsScreen, answers);
  await expect.element(own.screen.getByText("木下 葵さん・高1")).toBeVisible();
  await own.screen.unmount();
  const guardian = { ...learner, scope: ["guardian"], school_year: "既卒" };
  const { screen } = await openFor(guardian, SettingsScreen, answers);
  await expect.element(screen.getByText("木下 葵さん", { exact: true })).toBeVisible();
});
