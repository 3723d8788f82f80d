import type { Notifications } from "../api";
import { expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { done, json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { NotificationSettingsScreen } from "./NotificationSettingsScreen";

const FIND = "GET desk/notification/setting/";
const SAVE = "PUT desk/notification/setting/";

const settingsOf = (own: Partial<Notifications> = {}): Notifications => ({
  mail_off: [],
  push_off: [],
  quiet_hours: null,
  mail_bounced_at: null,
  ...own,
});

function open(own: Partial<Notifications> = {}, save: () => Response = () => done()) {
  const answers = { [FIND]: () => json(settingsOf(own)), [SAVE]: save };
  return openFor(learner, NotificationSettingsScreen, answers, "/mypage/settings/notification");
}

const saved = (calls: { call: string; body: unknown }[]) =>
  calls.filter(({ call }) => call === SAVE).map(({ body }) => body);

test("a topic is switched off and on with the keyboard, and saved at once", async () => {
  await page.viewport(360, 740);
  const { screen, calls, blue } = await open({ mail_off: ["exam_result"] });
  const event = screen.getByRole("checkbox", { name: "イベントをメールで受け取る" });
  await expect.element(event).toBeChecked();
  await expect
    .element(screen.getByRole("checkbox", { name: "模試の成績をメールで受け取る" }))
    .not.toBeChecked();
  event.element().focus();
  await userEvent.keyboard(" ");
  await expect.element(event).not.toBeChecked();
  await expect.poll(blue).toBe("保存しました。");
  await userEvent.keyboard(" ");
  await expect.element(event).toBeChecked();
  await expect.poll(() => saved(calls)).toEqual([
    { mail_off: ["exam_result", "event"], push_off: [], quiet_hours: null },
    { mail_off: ["exam_result"], push_off: [], quiet_hours: null },
  ]);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360);
  expect(await faults(screen.container)).toEqual([]);
});

test("quiet hours begin at 21, and their end stays within 12 hours", async () => {
  const { screen, calls } = await open();
  await screen.getByRole("checkbox", { name: "決まった時間は受け取らない" }).click();
  await expect.element(screen.getByLabelText("終わり")).toHaveValue("7");
  await screen.getByLabelText("始まり").selectOptions("18");
  await expect.element(screen.getByLabelText("終わり")).toHaveValue("6");
  await screen.getByRole("checkbox", { name: "決まった時間は受け取らない" }).click();
  await expect.poll(() => saved(calls)).toMatchObject([
    { quiet_hours: { from: 21, until: 7 } },
    { quiet_hours: { from: 18, until: 6 } },
    { quiet_hours: null },
  ]);
  expect(await faults(screen.container)).toEqual([]);
});

test("after a failure the screen shows the reason and the stored settings", async () => {
  const { screen } = await open({}, () => problem(502, "UPSTREAM_UNAVAILABLE"));
  const answer = screen.getByRole("checkbox", { name: "先生の回答をメールで受け取る" });
  await answer.click();
  await expect.element(screen.getByText("保存できませんでした")).toBeVisible();
  await expect.element(answer).toBeChecked();
});

test("a refused address is shown to its owner", async () => {
  const { screen } = await open({ mail_bounced_at: "2026-11-20T15:30:00Z" });
  await expect.element(screen.getByText("メールが届いていません")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "メールアドレス" }))
    .toHaveAttribute("href", "/mypage/settings/email");
});
