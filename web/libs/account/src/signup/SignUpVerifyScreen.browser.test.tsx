import type { ErrorCode } from "@konomana/http";
import { beforeEach, describe, expect, test } from "vitest";
import { type Answers, json, problem } from "@konomana/testing";
import { freshBrowser, open } from "../accountTesting";
import { type PendingSignUp, pendingSignUp } from "./pendingSignUp";

const pending: PendingSignUp = {
  signup: "s1",
  email: "hanako@example.jp",
  kind: "learner",
  verified: false,
  byLink: false,
  resendAt: 0,
};
const verified = { signup: "s2", email: "hanako@example.jp", kind: "learner" };
const waiting: Answers = {
  "POST accounts/signup/status/": () => ({ ...verified, state: "waiting" }),
};

beforeEach(freshBrowser);

describe("by the code", () => {
  beforeEach(() => pendingSignUp.keep(pending));

  test("the right one continues; full-width digits and dashes are accepted", async () => {
    const { screen, press, heading, calls } = await open("/signup/verify", {
      ...waiting,
      "POST accounts/signup/verify/": () => json(verified),
    });
    const code = screen.getByLabelText("確認コード（6桁の数字）");
    await expect.element(code).toHaveAttribute("autocomplete", "one-time-code");
    await code.fill("１２３−４５６");
    await press("確認する");
    await expect.element(heading("お名前と生年月日")).toBeVisible();
    expect(calls).toContainEqual({
      call: "POST accounts/signup/verify/",
      body: { signup: "s1", code: "123456" },
    });
    expect(pendingSignUp.read()).toMatchObject({ signup: "s2", verified: true, byLink: false });
  });

  test.each<[ErrorCode, string]>([
    ["CODE_WRONG", "確認コードがちがいます。メールの6桁の数字をもう一度ご確認ください。"],
    [
      "CODE_TRIES_OVER",
      "まちがいが5回になったため、このコードは使えません。新しいコードを送ってください。",
    ],
    ["CODE_EXPIRED", "確認コードの期限が切れました。新しいコードを送ってください。"],
  ])("%s shows a message", async (reason, sentence) => {
    const { screen, press } = await open("/signup/verify", {
      ...waiting,
      "POST accounts/signup/verify/": () => problem(400, reason),
    });
    await screen.getByLabelText("確認コード（6桁の数字）").fill("000000");
    await press("確認する");
    await expect.element(screen.getByText(sentence)).toBeVisible();
  });

  test("it can be sent again, and the wait for the next one is shown", async () => {
    const { screen, press, calls } = await open("/signup/verify", {
      ...waiting,
      "POST accounts/signup/resend/": () => json({ resend_after: 60 }, 202),
    });
    await press("コードをもう一度送る");
    const waits = screen.getByRole("button", { name: /あと(60|5\d)秒/ });
    await expect.element(waits).toHaveAttribute("aria-disabled", "true");
    await waits.click({ force: true });
    expect(calls.filter(({ call }) => call === "POST accounts/signup/resend/")).toHaveLength(1);
  });

  test("the wait survives a reload and counts down", async () => {
    pendingSignUp.keep({ ...pending, resendAt: Date.now() + 2000 });
    const { screen } = await open("/signup/verify", waiting);
    await expect.element(screen.getByRole("button", { name: /あと[12]秒/ })).toBeVisible();
    await expect
      .element(screen.getByRole("button", { name: "コードをもう一度送る", exact: true }))
      .toHaveAttribute("aria-disabled", "false");
  });

  test("a link opened on another device is noticed; this device continues with the code only", async () => {
    let state: "waiting" | "verified" = "waiting";
    const { screen } = await open("/signup/verify", {
      "POST accounts/signup/status/": () => ({ ...verified, state }),
    });
    await expect.element(screen.getByLabelText("確認コード（6桁の数字）")).toBeVisible();
    state = "verified";
    await expect
      .poll(() => screen.getByText("メールアドレスを確認できました").query(), { timeout: 8000 })
      .toBeTruthy();
    await expect.element(screen.getByText(/この画面で続けるときは、確認コードを/)).toBeVisible();
    expect(pendingSignUp.read()).toMatchObject({ signup: "s1", verified: false });
  });

  test("an expired sign-up leads to a new one", async () => {
    const { screen } = await open("/signup/verify", {
      "POST accounts/signup/status/": () => problem(400, "LINK_DEAD"),
    });
    await expect
      .element(screen.getByRole("link", { name: "はじめから登録" }))
      .toHaveAttribute("href", "/signup");
  });

  test("a sign-up that ended elsewhere leads to the login", async () => {
    const { screen } = await open("/signup/verify", {
      "POST accounts/signup/status/": () => ({ ...verified, state: "done" }),
    });
    await expect.element(screen.getByText("登録が終わっています")).toBeVisible();
    await expect.element(screen.getByRole("link", { name: "ログイン" })).toBeVisible();
  });
});

describe("by the link", () => {
  test("opening it sends no request; the button does, and the token leaves the address", async () => {
    const { press, heading, calls, router } = await open("/signup/verify#token=t1", {
      "POST accounts/signup/verify/": () => json(verified),
    });
    await expect.element(heading("メールアドレスの確認")).toBeVisible();
    await expect.poll(() => router.state.location.hash).toBe("");
    expect(calls).toEqual([]);
    await press("登録を続ける");
    await expect.element(heading("お名前と生年月日")).toBeVisible();
    expect(calls[0]).toEqual({ call: "POST accounts/signup/verify/", body: { token: "t1" } });
    expect(pendingSignUp.read()).toMatchObject({ signup: "s2", verified: true, byLink: true });
  });

  test("explains why a password is needed, and that the code keeps the first one", async () => {
    const { screen } = await open("/signup/verify#token=t1");
    await expect.element(screen.getByText(/安全のため、パスワードをもう一度/)).toBeVisible();
    await expect.element(screen.getByText(/確認コードを、登録を始めた画面に入力/)).toBeVisible();
  });

  test("leads to the code where the sign-up began in this tab", async () => {
    pendingSignUp.keep(pending);
    const { screen } = await open("/signup/verify#token=t1", waiting);
    await screen.getByRole("link", { name: "確認コードを入力して続ける" }).click();
    await expect.element(screen.getByLabelText("確認コード（6桁の数字）")).toBeVisible();
  });

  test("an expired one shows a message", async () => {
    const { screen, press } = await open("/signup/verify#token=t1", {
      "POST accounts/signup/verify/": () => problem(400, "LINK_DEAD"),
    });
    await press("登録を続ける");
    await expect
      .element(screen.getByText("このリンクは使えません。期限が切れたか、すでに使われています。"))
      .toBeVisible();
  });
});

test("without a sign-up in progress, the screen leads to the first step", async () => {
  const { screen } = await open("/signup/verify");
  await expect
    .element(screen.getByRole("link", { name: "新規登録へ" }))
    .toHaveAttribute("href", "/signup");
});
