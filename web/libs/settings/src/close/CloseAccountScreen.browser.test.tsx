import type { Answer } from "@konomana/http";
import { expect, test, vi } from "vitest";
import { json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { CloseAccountScreen } from "./CloseAccountScreen";

test("closing explains what is erased and kept, asks for the password, and ends the session", async () => {
  const { screen, calls, left } = await openFor(learner, CloseAccountScreen, {
    "POST accounts/close/": () => json({ erase_at: "2026-12-21T00:00:00Z" }, 202),
  });
  await expect.element(screen.getByText("消えるもの")).toBeVisible();
  await expect.element(screen.getByText("残るもの")).toBeVisible();
  await screen.getByRole("button", { name: "退会の手続きに進む" }).click();
  const form = screen.getByRole("form", { name: "退会" });
  await form.getByRole("button", { name: "退会する" }).click();
  const field = form.getByLabelText("いまのパスワード");
  await expect.element(field).toHaveAccessibleDescription("パスワードを入力してください。");
  expect(calls).toEqual([]);
  await field.fill("himitsu no kotoba");
  await form.getByRole("button", { name: "退会する" }).click();
  await expect.poll(() => left).toEqual(["/login/closed?until=2026-12-21T00%3A00%3A00Z"]);
  expect(calls).toEqual([
    { call: "POST accounts/close/", body: { password: "himitsu no kotoba" } },
  ]);
});

test("an error is shown in the submitted form, not in the other password form", async () => {
  const { screen } = await openFor(learner, CloseAccountScreen, {
    "POST accounts/close/": () => problem(400, "BAD_CREDENTIALS"),
  });
  await screen.getByRole("button", { name: "退会の手続きに進む" }).click();
  const form = screen.getByRole("form", { name: "退会" });
  const field = form.getByLabelText("いまのパスワード");
  const send = form.getByRole("button", { name: "退会する" });
  await send.click();
  await expect.element(field).toHaveFocus();
  await field.fill("chigau");
  await send.click();
  await expect.element(field).toHaveAccessibleDescription("パスワードが正しくありません。");
  await expect.element(field).toHaveFocus();
  const other = screen.getByRole("form", { name: "データのダウンロード" });
  const untouched = other.getByLabelText("いまのパスワード");
  await expect.element(untouched).not.toHaveAttribute("aria-invalid", "true");
});

test("input survives a refusal", async () => {
  const { screen } = await openFor(learner, CloseAccountScreen, {
    "POST accounts/close/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
  });
  await screen.getByRole("button", { name: "退会の手続きに進む" }).click();
  const form = screen.getByRole("form", { name: "退会" });
  await form.getByLabelText("いまのパスワード").fill("himitsu");
  await form.getByRole("button", { name: "退会する" }).click();
  await expect.element(form.getByText("退会できませんでした")).toBeVisible();
  await expect.element(form.getByLabelText("いまのパスワード")).toHaveValue("himitsu");
});

/** The data of a person who has done nothing yet. */
const exported: Answer<"POST", "/api/accounts/export/"> = {
  account: learner,
  address: null,
  birth_date_changes: [],
  cart: [],
  children: [],
  consent: null,
  coupons: [],
  email_changes: [],
  exam_applications: [],
  exam_sittings: [],
  guardians: [],
  guardians_asked_at: null,
  learning: {
    answers: [],
    bookmarks: [],
    checks: [],
    courses: [],
    days: [],
    exam_reviews: [],
    certificates: [],
    attendances: [],
    homework_marks: [],
    favorites: [],
    notes: [],
    progress: [],
    results: [],
    reviews: [],
    streams: [],
    study_minutes: null,
    watches: [],
  },
  mails: [],
  orders: [],
  passkeys: [],
  saved_card: { card: null },
  sessions: [],
  subscriptions: [],
  teacher_questions: [],
  question_pictures: [],
  interviews: [],
  event_entries: [],
  notices: { personal: [], readings: [] },
  calendar_address: { created_at: null },
  notification_settings: {
    mail_off: [],
    push_off: [],
    quiet_hours: null,
    is_quiet_by_age: true,
    adult_on: null,
    mail_bounced_at: null,
    push_key: null,
    push_devices: [],
  },
  views: [],
  withdrawals: [],
};

test("the person's data is downloaded as a file", async () => {
  const saved = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {});
  const { screen, blue } = await openFor(learner, CloseAccountScreen, {
    "POST accounts/export/": () => exported,
  });
  const form = screen.getByRole("form", { name: "データのダウンロード" });
  await form.getByLabelText("いまのパスワード").fill("himitsu");
  await form.getByRole("button", { name: "ダウンロードする" }).click();
  await expect.poll(blue).toBe("データをダウンロードしました。");
  expect((saved.mock.contexts[0] as HTMLAnchorElement).download).toBe("konomana.json");
  await expect.element(form.getByLabelText("いまのパスワード")).toHaveValue("");
});
