import type { Device } from "../api";
import { expect, test } from "vitest";
import { done, json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { DevicesScreen } from "./DevicesScreen";

const here: Device = {
  id: "d1",
  device: "Mac の Chrome",
  place: "いまと同じネットワーク",
  created: "2026-11-01T00:00:00Z",
  last_used: "2026-11-20T15:30:00Z",
  is_current: true,
};
const there = { ...here, id: "d2", device: "iPhone の Safari", is_current: false };

test("another device is signed out after a confirmation and removed from the list", async () => {
  let list = [here, there];
  const { screen, calls, blue } = await openFor(learner, DevicesScreen, {
    "GET accounts/sessions/": () => json({ results: list }),
    "DELETE accounts/sessions/{id}/": () => {
      list = [here];
      return done();
    },
  });
  await expect.element(screen.getByText("この端末", { exact: true })).toBeVisible();
  await screen.getByRole("button", { name: "iPhone の Safariをログアウトさせる" }).click();
  expect(calls.some(({ call }) => call.startsWith("DELETE"))).toBe(false);
  await screen.getByRole("dialog").getByRole("button", { name: "ログアウトさせる" }).click();
  await expect
    .element(screen.getByText("iPhone の Safari", { exact: true }))
    .not.toBeInTheDocument();
  expect(blue()).toBe("端末をログアウトさせました。");
  await expect.element(screen.getByRole("main")).toHaveFocus();
});

test("the current device has no button: the menu signs it out", async () => {
  const { screen } = await openFor(learner, DevicesScreen, {
    "GET accounts/sessions/": () => json({ results: [here] }),
  });
  await expect
    .element(screen.getByText("2026年11月21日(土) 00:30", { exact: false }))
    .toBeVisible();
  expect(screen.getByRole("button", { name: /Mac の Chrome/ }).elements()).toEqual([]);
});

test("the dialog can be cancelled, and shows an error", async () => {
  const { screen, calls } = await openFor(learner, DevicesScreen, {
    "GET accounts/sessions/": () => json({ results: [here, there] }),
    "DELETE accounts/sessions/{id}/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  const opener = screen.getByRole("button", { name: "iPhone の Safariをログアウトさせる" });
  await opener.click();
  const dialog = screen.getByRole("dialog");
  await dialog.getByRole("button", { name: "ログアウトさせる" }).click();
  await expect
    .element(dialog.getByRole("alert"))
    .toHaveTextContent("ただいまつながりにくくなっています。しばらくしてからお試しください。");
  await dialog.getByRole("button", { name: "やめる" }).click();
  await expect.element(opener).toHaveFocus();
  expect(calls.filter(({ call }) => call.startsWith("DELETE"))).toHaveLength(1);
});

test("signing out everywhere ends this session too", async () => {
  const { screen, left, blue } = await openFor(learner, DevicesScreen, {
    "GET accounts/sessions/": () => json({ results: [here, there] }),
    "POST accounts/logout/all/": () => done(),
  });
  await screen.getByRole("button", { name: "すべての端末からログアウト" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "ログアウトする" }).click();
  await expect.poll(() => left).toEqual(["/login"]);
  expect(blue()).toBe("すべての端末からログアウトしました。");
});
