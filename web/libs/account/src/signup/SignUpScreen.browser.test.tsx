import { restorePath } from "@konomana/session";
import { wantedCourse, rememberCampaign } from "@konomana/visitor";
import { beforeEach, expect, test } from "vitest";
import { json, problem } from "@konomana/testing";
import { faultsOnAPhone, freshBrowser, open } from "../accountTesting";
import { pendingSignUp } from "./pendingSignUp";

const started = { signup: "s1", resend_after: 60, expires_at: "2026-11-22T00:00:00Z" };
const strong = "umi-no-mieru-eki-42";

beforeEach(freshBrowser);

async function typed(answers: Parameters<typeof open>[1]) {
  const opened = await open("/signup", answers);
  const { screen } = opened;
  await screen.getByLabelText("生徒").click();
  await screen.getByLabelText("メールアドレス").fill("hanako@example.jp");
  await screen.getByLabelText("パスワード", { exact: true }).fill(strong);
  await screen.getByLabelText("利用規約およびプライバシーポリシーに同意します").click();
  return opened;
}

test("a sign-up requests the mail and continues with its code", async () => {
  const { press, heading, calls } = await typed({
    "POST accounts/signup/": () => json(started, 202),
  });
  await press("確認メールを送る");
  await expect.element(heading("メールアドレスの確認")).toBeVisible();
  expect(calls[0]).toEqual({
    call: "POST accounts/signup/",
    body: {
      kind: "learner",
      email: "hanako@example.jp",
      password: strong,
      terms: true,
      news: false,
    },
  });
  expect(pendingSignUp.read()).toMatchObject({ signup: "s1", verified: false });
});

test("an incomplete form is not sent, and each field shows what is missing", async () => {
  const { screen, press, calls } = await open("/signup");
  await press("確認メールを送る");
  for (const sentence of [
    "生徒か保護者かを選んでください。",
    "メールアドレスを入力してください。",
    "パスワードを入力してください。",
    "利用規約およびプライバシーポリシーへの同意が必要です。",
  ])
    await expect.element(screen.getByText(sentence)).toBeVisible();
  await expect.element(screen.getByLabelText("生徒")).toHaveFocus();
  expect(calls).toEqual([]);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a page for guardians preselects the guardian", async () => {
  const { screen } = await open("/signup?kind=guardian");
  await expect.element(screen.getByLabelText("保護者")).toBeChecked();
});

test("a sign-up from a course returns to it and bookmarks it", async () => {
  await open("/signup?course=105");
  await expect.poll(() => wantedCourse.take(105)).toBe(true);
  expect(restorePath()).toBe("/course/105");
});

test.each(["0", "-1", "1.5", "/login", ""])(
  "a sign-up ignores an invalid course: %s in the address",
  async (junk) => {
    const { heading } = await open(`/signup?course=${encodeURIComponent(junk)}`);
    await expect.element(heading("新規登録")).toBeVisible();
    expect(restorePath()).toBe("/mypage");
  },
);

test("a refusal of the server is shown beside its field, and the input stays", async () => {
  const { screen, press } = await typed({
    "POST accounts/signup/": () =>
      problem(400, "INVALID", { errors: [{ field: "password", code: "GUESSABLE" }] }),
  });
  await press("確認メールを送る");
  const password = screen.getByLabelText("パスワード", { exact: true });
  await expect
    .element(screen.getByText("推測されやすいパスワードです。別のものを入力してください。"))
    .toBeVisible();
  await expect.element(password).toHaveValue(strong);
});

test("a network failure shows a message, and the input can be sent again", async () => {
  let connected = false;
  const { screen, press, heading } = await typed({
    "POST accounts/signup/": () => {
      if (!connected) throw new TypeError("Failed to fetch");
      return json(started, 202);
    },
  });
  await press("確認メールを送る");
  await expect
    .element(screen.getByText("インターネットにつながりません。接続を確かめてからお試しください。"))
    .toBeVisible();
  connected = true;
  await press("確認メールを送る");
  await expect.element(heading("メールアドレスの確認")).toBeVisible();
});

test("a reload keeps all input except the password", async () => {
  const first = await typed({});
  await first.screen.unmount();
  const { screen } = await open("/signup");
  await expect.element(screen.getByLabelText("メールアドレス")).toHaveValue("hanako@example.jp");
  await expect.element(screen.getByLabelText("生徒")).toBeChecked();
  await expect.element(screen.getByLabelText("パスワード", { exact: true })).toHaveValue("");
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(strong);
});

test("the terms open beside the form, which keeps its input", async () => {
  const { screen } = await typed({});
  for (const [name, path] of [
    ["利用規約", "/eula"],
    ["プライバシーポリシー", "/privacy"],
  ] as const) {
    const link = screen.getByRole("link", { name, exact: true });
    await expect.element(link).toHaveAttribute("href", path);
    await expect.element(link).toHaveAttribute("target", "_blank");
  }
});

test("the campaign of the first page is sent with the sign-up", async () => {
  rememberCampaign("exam-parent");
  const { press, heading, calls } = await typed({
    "POST accounts/signup/": () => json(started, 202),
  });
  await press("確認メールを送る");
  await expect.element(heading("メールアドレスの確認")).toBeVisible();
  expect(calls[0]?.body).toMatchObject({ campaign: "exam-parent" });
});
