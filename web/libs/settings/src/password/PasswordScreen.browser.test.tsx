import { expect, test } from "vitest";
import { done, learner, openFor, problem } from "../testing";
import { Component } from "./PasswordScreen";

test("a new password is taken, and the fields are empty again", async () => {
  const { screen, calls, blue } = await openFor(learner, Component, {
    "POST accounts/password/": () => done(),
  });
  await screen.getByLabelText("いまのパスワード").fill("furui kotoba");
  await screen.getByLabelText("新しいパスワード").fill("tooku no yama made");
  await screen.getByRole("button", { name: "変更する" }).click();
  await expect.poll(blue).toBe("パスワードを変更しました。");
  expect(calls.find(({ call }) => call === "POST accounts/password/")?.body).toEqual({
    password: "furui kotoba",
    new_password: "tooku no yama made",
  });
  await expect.element(screen.getByLabelText("新しいパスワード")).toHaveValue("");
});

test("what the server finds easy to guess is said beside the field", async () => {
  const errors = [{ field: "new_password", code: "GUESSABLE" }];
  const { screen } = await openFor(learner, Component, {
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
