import type { Passkey } from "../api";
import { expect, test } from "vitest";
import { json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { PasswordSettingsScreen } from "./PasswordSettingsScreen";

const tokens = { access_token: "t2", refresh_token: "r2" };
const passkey: Passkey = {
  id: "p1",
  name: "自分のスマホ",
  created: "2026-11-01T00:00:00Z",
  last_used: null,
  suspended: null,
};

async function change(screen: Awaited<ReturnType<typeof openFor>>["screen"]) {
  await screen.getByLabelText("いまのパスワード").fill("furui kotoba");
  await screen.getByLabelText("新しいパスワード").fill("tooku no yama made");
  await screen.getByRole("button", { name: "変更する" }).click();
}

test("a new password is saved, the new session continues, and the fields are empty again", async () => {
  const { screen, calls, blue } = await openFor(learner, PasswordSettingsScreen, {
    "POST accounts/password/": () => json(tokens),
  });
  await change(screen);
  await expect.poll(blue).toBe("パスワードを変更しました。");
  expect(calls.find(({ call }) => call === "POST accounts/password/")?.body).toEqual({
    password: "furui kotoba",
    new_password: "tooku no yama made",
  });
  await expect.element(screen.getByLabelText("新しいパスワード")).toHaveValue("");
  expect(JSON.parse(localStorage.getItem("konomana.tokens") ?? "")).toMatchObject(tokens);
});

test("after a new password a person with passkeys is asked to review them", async () => {
  const { screen } = await openFor(learner, PasswordSettingsScreen, {
    "GET accounts/passkeys/": () => json({ results: [passkey] }),
    "POST accounts/password/": () => json(tokens),
  });
  await expect.element(screen.getByText("自分のスマホ", { exact: true })).toBeVisible();
  await change(screen);
  await expect.element(screen.getByText("パスキーもお確かめください")).toBeVisible();
});

test("a password that the server finds easy to guess is refused beside the field", async () => {
  const errors = [{ field: "new_password", code: "GUESSABLE" as const }];
  const { screen } = await openFor(learner, PasswordSettingsScreen, {
    "POST accounts/password/": () => problem(400, "INVALID", { errors }),
  });
  await screen.getByLabelText("いまのパスワード").fill("furui kotoba");
  const field = screen.getByLabelText("新しいパスワード");
  await field.fill("password123");
  await screen.getByRole("button", { name: "変更する" }).click();
  await expect.element(field).toHaveFocus();
  await expect
    .element(screen.getByText("推測されやすいパスワードです。別のものを入力してください。"))
    .toBeVisible();
  await expect.element(field).toHaveValue("password123");
});
