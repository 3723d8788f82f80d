import { expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { type Answers, done, json, learner, problem } from "@konomana/testing";
import { pageFaults } from "@konomana/testing/pageFaults";
import type { CalendarAddress } from "../api";
import { openFor } from "../settingsTesting";
import { CalendarSettingsScreen } from "./CalendarSettingsScreen";

const FIND = "GET desk/calendar/";
const MAKE = "POST desk/calendar/";
const END = "DELETE desk/calendar/";

const urlOf = (letter: string) =>
  `https://www.konomana.example/api/desk/calendar/${letter.repeat(43)}.ics`;
const MADE = "2026-11-21T00:30:00Z";
const made = (letter: string) => json({ url: urlOf(letter), created_at: MADE }, 201);

function open(created_at: string | null, answers: Answers = {}) {
  const address: CalendarAddress = { created_at };
  return openFor(
    learner,
    CalendarSettingsScreen,
    { [FIND]: () => json(address), ...answers },
    "/mypage/settings/calendar",
  );
}

test("the address is made with the keyboard, copied, and opened with a calendar app", async () => {
  const copied = vi.spyOn(navigator.clipboard, "writeText").mockResolvedValue();
  const { screen } = await open(null, { [MAKE]: () => made("a") });
  const make = screen.getByRole("button", { name: "アドレスを作る" });
  await expect.element(make).toBeVisible();
  make.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByLabelText("新しいアドレス")).toHaveTextContent(urlOf("a"));
  await expect.element(screen.getByLabelText("新しいアドレス")).toHaveFocus();
  await expect
    .element(screen.getByRole("link", { name: "カレンダーのアプリで開く" }))
    .toHaveAttribute("href", urlOf("a").replace("https:", "webcal:"));
  await userEvent.keyboard("{Tab}{Tab}");
  await expect.element(screen.getByRole("button", { name: "アドレスをコピー" })).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByRole("button", { name: "コピーしました" })).toBeVisible();
  expect(copied).toHaveBeenCalledWith(urlOf("a"));
  await expect.element(screen.getByText("アドレスを作った日時", { exact: false })).toBeVisible();
  expect(await pageFaults(screen.container)).toEqual([]);
});

test("where the browser can't copy, the screen says what to do", async () => {
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new DOMException("no"));
  const { screen } = await open(null, { [MAKE]: () => made("a") });
  await screen.getByRole("button", { name: "アドレスを作る" }).click();
  await screen.getByRole("button", { name: "アドレスをコピー" }).click();
  await expect
    .element(screen.getByText("コピーできませんでした。アドレスを選んで、コピーしてください。"))
    .toBeVisible();
});

test("an address is shown once; a new one takes its place after a question", async () => {
  const { screen, calls } = await open(MADE, { [MAKE]: () => made("b") });
  await expect
    .element(screen.getByText("もう一度表示することができません", { exact: false }))
    .toBeVisible();
  expect(screen.getByLabelText("新しいアドレス").elements()).toEqual([]);
  await screen.getByRole("button", { name: "新しく作りなおす" }).click();
  expect(calls.some(({ call }) => call === MAKE)).toBe(false);
  await screen.getByRole("button", { name: "作りなおす", exact: true }).click();
  await expect.element(screen.getByLabelText("新しいアドレス")).toHaveTextContent(urlOf("b"));
  await expect.element(screen.getByLabelText("新しいアドレス")).toHaveFocus();
  expect(calls.filter(({ call }) => call === MAKE)).toHaveLength(1);
});

test("the address is ended after a question, and can be made again", async () => {
  const { screen, blue } = await open(MADE, { [END]: () => done() });
  await screen.getByRole("button", { name: "登録をやめる" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "登録をやめる" }).click();
  await expect.poll(blue).toBe("アドレスを使えなくしました。");
  await expect.element(screen.getByRole("button", { name: "アドレスを作る" })).toBeVisible();
});

test("a failure says why, and nothing is shown as made", async () => {
  const { screen } = await open(null, { [MAKE]: () => problem(502, "UPSTREAM_UNAVAILABLE") });
  await screen.getByRole("button", { name: "アドレスを作る" }).click();
  await expect.element(screen.getByText("アドレスを作れませんでした")).toBeVisible();
  expect(screen.getByLabelText("新しいアドレス").elements()).toEqual([]);
});

test("on a phone of 360 px the long address breaks and nothing overflows", async () => {
  await page.viewport(360, 640);
  const { screen } = await open(null, { [MAKE]: () => made("w") });
  await screen.getByRole("button", { name: "アドレスを作る" }).click();
  await expect.element(screen.getByLabelText("新しいアドレス")).toBeVisible();
  const { scrollWidth, clientWidth } = document.documentElement;
  expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
  expect(await pageFaults(screen.container)).toEqual([]);
});
