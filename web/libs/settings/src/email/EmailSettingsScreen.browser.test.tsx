import { expect, test } from "vitest";
import { done, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { EmailSettingsScreen } from "./EmailSettingsScreen";

test("a mail is sent to the new address, and the next step is explained", async () => {
  const { screen, calls, blue } = await openFor(learner, EmailSettingsScreen, {
    "POST accounts/email/": () => done(202),
  });
  await screen.getByLabelText("新しいメールアドレス").fill("new@demo.example");
  await screen.getByLabelText("いまのパスワード").fill("himitsu");
  await screen.getByRole("button", { name: "確認のメールを送る" }).click();
  await expect.element(screen.getByText(/まだ変更は終わっていません/)).toBeVisible();
  expect(document.activeElement?.textContent).toMatch(/まだ変更は終わっていません/);
  expect(calls[0]?.body).toEqual({ email: "new@demo.example", password: "himitsu" });
  expect(blue()).toBe("確認のメールをお送りしました。");
  await screen.getByRole("button", { name: "アドレスを入力しなおす" }).click();
  await expect.element(screen.getByLabelText("新しいメールアドレス")).toHaveValue("");
});

test("a wrong password is shown beside its field, and the input stays", async () => {
  const { screen } = await openFor(learner, EmailSettingsScreen, {
    "POST accounts/email/": () => problem(400, "BAD_CREDENTIALS"),
  });
  await screen.getByLabelText("新しいメールアドレス").fill("new@demo.example");
  const password = screen.getByLabelText("いまのパスワード");
  await password.fill("himitsu");
  await screen.getByRole("button", { name: "確認のメールを送る" }).click();
  await expect.element(password).toHaveAccessibleDescription("パスワードが正しくありません。");
  await expect.element(password).toHaveFocus();
  await expect
    .element(screen.getByLabelText("新しいメールアドレス"))
    .toHaveValue("new@demo.example");
});
