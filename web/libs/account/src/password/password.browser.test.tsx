import { beforeEach, describe, expect, test } from "vitest";
import { done, json, problem } from "@konomana/testing";
import { freshBrowser, open, signedIn, tokens } from "../accountTesting";

const strong = "umi-no-mieru-eki-42";

beforeEach(freshBrowser);

test("a password reset mail is requested, and the answer does not reveal whether an account exists", async () => {
  const { screen, press, calls } = await open("/login/password", {
    "POST accounts/password/reset/": () => done(202),
  });
  await screen.getByLabelText("メールアドレス").fill("hanako@example.jp");
  await press("メールを送る");
  await expect.element(screen.getByText("メールをお送りしました")).toBeVisible();
  await expect.element(screen.getByText(/に登録があれば/)).toBeVisible();
  expect(calls).toEqual([
    { call: "POST accounts/password/reset/", body: { email: "hanako@example.jp" } },
  ]);
});

describe("the link for a new password", () => {
  const path = "/login/password/reset/u1/t1";
  const link = { uid: "u1", token: "t1" };

  test("is checked and accepts a new password; its token leaves the address", async () => {
    const { screen, press, heading, calls, router } = await open(path, {
      "POST accounts/password/reset/check/": () => done(),
      "POST accounts/password/reset/confirm/": () => done(),
    });
    await expect.poll(() => router.state.location.pathname).toBe("/login/password/reset");
    expect(router.state.historyAction).toBe("REPLACE");
    await screen.getByLabelText("新しいパスワード", { exact: true }).fill(strong);
    await press("パスワードを変える");
    await expect.element(heading("パスワードを変えました")).toBeVisible();
    expect(calls).toEqual([
      { call: "POST accounts/password/reset/check/", body: link },
      { call: "POST accounts/password/reset/confirm/", body: { ...link, password: strong } },
    ]);
  });

  test("is required: without it the screen explains what to do", async () => {
    const { screen, calls } = await open("/login/password/reset");
    await expect
      .element(screen.getByText(/届いたメールのリンクを、もう一度開いてください。/))
      .toBeVisible();
    await expect
      .element(screen.getByRole("link", { name: "もう一度メールを送る" }))
      .toHaveAttribute("href", "/login/password");
    expect(calls).toEqual([]);
  });

  test("that is expired leads to a new one", async () => {
    const { screen } = await open(path, {
      "POST accounts/password/reset/check/": () => problem(400, "LINK_DEAD"),
    });
    await expect
      .element(screen.getByRole("link", { name: "もう一度メールを送る" }))
      .toHaveAttribute("href", "/login/password");
  });

  test("that could not be checked can be checked again", async () => {
    let connected = false;
    const { screen, press } = await open(path, {
      "POST accounts/password/reset/check/": () =>
        connected ? done() : problem(502, "UPSTREAM_UNAVAILABLE"),
    });
    await expect.element(screen.getByText("表示できませんでした")).toBeVisible();
    connected = true;
    await press("もう一度試す");
    await expect.element(screen.getByLabelText("新しいパスワード", { exact: true })).toBeVisible();
  });
});

describe("an account that must change its password", () => {
  const answers = {
    ...signedIn,
    "POST accounts/login/": () => problem(403, "PASSWORD_CHANGE_REQUIRED"),
    "POST accounts/login/change/": () => json(tokens),
  };

  test("asks for a new one at the login and signs in", async () => {
    const { screen, press, heading, calls } = await open("/login", answers);
    await screen.getByLabelText("メールアドレス").fill("hanako@example.jp");
    await screen.getByLabelText("パスワード", { exact: true }).fill("old-one");
    await press("ログイン");
    await expect.element(heading("パスワードの変更")).toBeVisible();
    await screen.getByLabelText("新しいパスワード", { exact: true }).fill(strong);
    await press("変えてログインする");
    await expect.element(heading("マイページ")).toBeVisible();
    expect(calls[1]).toEqual({
      call: "POST accounts/login/change/",
      body: { email: "hanako@example.jp", password: "old-one", new_password: strong },
    });
    expect(JSON.stringify({ ...sessionStorage })).not.toContain("old-one");
  });
});

test("an account scheduled for closing can be reopened", async () => {
  const { screen, press, heading, calls } = await open("/login", {
    ...signedIn,
    "POST accounts/login/": () =>
      problem(403, "ACCOUNT_CLOSING", { erase_at: "2026-12-20T15:00:00Z" }),
    "POST accounts/login/reopen/": () => json(tokens),
  });
  await screen.getByLabelText("メールアドレス").fill("hanako@example.jp");
  await screen.getByLabelText("パスワード", { exact: true }).fill("secret");
  await press("ログイン");
  await expect.element(heading("退会の手続き中です")).toHaveFocus();
  await expect.element(screen.getByText("2026年12月21日(月) 00:00に")).toBeVisible();
  await press("退会をやめて、もう一度使う");
  await expect.element(heading("マイページ")).toBeVisible();
  expect(calls[1]).toEqual({
    call: "POST accounts/login/reopen/",
    body: { email: "hanako@example.jp", password: "secret" },
  });
});
