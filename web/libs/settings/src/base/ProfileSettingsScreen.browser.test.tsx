import { sessionStore } from "@konomana/session";
import { expect, test } from "vitest";
import { done, json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { ProfileSettingsScreen } from "./ProfileSettingsScreen";

test("the profile is saved normalized, and the session shows it afterwards", async () => {
  const { screen, calls, blue } = await openFor(learner, ProfileSettingsScreen, {
    "PUT accounts/profile/": ({ body }) => json({ ...learner, ...body, school_year: "高1" }),
  });
  await screen.getByLabelText("姓", { exact: true }).fill("木上");
  await screen.getByLabelText("セイ（フリガナ）").fill("きのうえ");
  await screen.getByLabelText(/^学校名/).fill("みどり高校");
  await screen.getByRole("checkbox", { name: /お知らせをメールで受け取る/ }).click();
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.poll(blue).toBe("基本情報を保存しました。");
  expect(calls).toEqual([
    {
      call: "PUT accounts/profile/",
      body: {
        last_name: "木上",
        first_name: "葵",
        last_name_kana: "キノウエ",
        first_name_kana: "アオイ",
        birth_date: "2011-04-01",
        school_year: null,
        school_name: "みどり高校",
        news: true,
      },
    },
  ]);
  expect(sessionStore.get().user?.last_name).toBe("木上");
  await expect.element(screen.getByLabelText("セイ（フリガナ）")).toHaveValue("キノウエ");
});

test("a school year that does not follow from the birth date is confirmed and saved", async () => {
  const { screen, calls } = await openFor(learner, ProfileSettingsScreen, {
    "PUT accounts/profile/": ({ body }) => json({ ...learner, ...body }),
  });
  await screen.getByLabelText("学年").selectOptions("中3");
  await expect
    .element(screen.getByText("生年月日と学年が一致しません。この内容でよろしいですか？"))
    .toBeVisible();
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body).toMatchObject({ school_year: "中3" });
});

test("a network failure shows a message and keeps the input", async () => {
  const { screen } = await openFor(learner, ProfileSettingsScreen, {
    "PUT accounts/profile/": () => Promise.reject(new TypeError("no network")),
  });
  await screen.getByLabelText("名", { exact: true }).fill("あおい");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect.element(screen.getByText("保存できませんでした")).toBeVisible();
  await expect.element(screen.getByLabelText("名", { exact: true })).toHaveValue("あおい");
});

test("a guardian has no school", async () => {
  const { screen } = await openFor({ ...learner, scope: ["guardian"] }, ProfileSettingsScreen, {});
  await expect.element(screen.getByLabelText("姓", { exact: true })).toBeVisible();
  await expect.element(screen.getByLabelText("学年")).not.toBeInTheDocument();
});

test("a minor asks a guardian and sees that the answer is pending", async () => {
  const minor = { ...learner, guardian_consent: "missing" as const };
  const { screen, calls, blue } = await openFor(minor, ProfileSettingsScreen, {
    "POST accounts/guardian/consent/": () => done(202),
    "GET accounts/user/": () => json({ ...minor, guardian_consent: "waiting" }),
  });
  const form = screen.getByRole("form", { name: "保護者の同意" });
  await form.getByRole("button", { name: "同意をお願いするメールを送る" }).click();
  await expect
    .element(form.getByLabelText("保護者の方のお名前"))
    .toHaveAccessibleDescription("お名前を入力してください。");
  await form.getByLabelText("保護者の方のお名前").fill("木下 恵");
  await form.getByLabelText("続柄").selectOptions("母");
  await form.getByLabelText("保護者の方のメールアドレス").fill("megumi@demo.example");
  await form.getByRole("button", { name: "同意をお願いするメールを送る" }).click();
  await expect
    .element(screen.getByText(/^保護者の方にメールをお送りしました。メール/))
    .toBeVisible();
  expect(blue()).toBe("保護者の方にメールをお送りしました。");
  expect(calls[0]?.body).toEqual({
    name: "木下 恵",
    relation: "母",
    email: "megumi@demo.example",
  });
});

test("the minor's own mailbox is refused beside the field", async () => {
  const minor = { ...learner, guardian_consent: "missing" as const };
  const { screen } = await openFor(minor, ProfileSettingsScreen, {
    "POST accounts/guardian/consent/": () =>
      problem(400, "INVALID", { errors: [{ field: "email", code: "OWN_MAILBOX" }] }),
  });
  const form = screen.getByRole("form", { name: "保護者の同意" });
  await form.getByLabelText("保護者の方のお名前").fill("木下 恵");
  await form.getByLabelText("続柄").selectOptions("母");
  const email = form.getByLabelText("保護者の方のメールアドレス");
  await email.fill("adult+mother@demo.example");
  await form.getByRole("button", { name: "同意をお願いするメールを送る" }).click();
  await expect.element(form.getByText(/^ご本人のメールアドレスは使えません。/)).toBeVisible();
  await expect.element(email).toHaveFocus();
});

const requested = {
  birth_date: "2000-04-01",
  asked: "2026-11-20T09:00:00Z",
  is_guardian_asked: true,
};

test("a pending birth date is shown, and the rest is saved", async () => {
  const minor = { ...learner, guardian_consent: "given" as const };
  const { screen, blue } = await openFor(minor, ProfileSettingsScreen, {
    "PUT accounts/profile/": ({ body }) =>
      json({
        ...minor,
        ...body,
        birth_date: learner.birth_date,
        school_year: "高1",
        requested_birth_date: requested,
      }),
  });
  const birth = screen.getByRole("group", { name: "生年月日" });
  await birth.getByLabelText("年").fill("2000");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect
    .poll(blue)
    .toBe("生年月日のほかを保存しました。生年月日の変更には、確認が必要です。");
  await expect.element(screen.getByText(/^2000年4月1日への変更は/)).toBeVisible();
  await expect
    .element(screen.getByText(/保護者の方にメールをお送りしました。48時間/))
    .toBeVisible();
  await expect.element(birth.getByLabelText("年")).toHaveValue("2011");
});

test("without a guardian to ask, the page links to consent or to the contact form", async () => {
  const minor = {
    ...learner,
    guardian_consent: "missing" as const,
    requested_birth_date: { ...requested, is_guardian_asked: false },
  };
  const { screen } = await openFor(minor, ProfileSettingsScreen, {});
  await expect.element(screen.getByText(/上の「保護者の同意」を済ませて/)).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "お問い合わせ" }))
    .toHaveAttribute("href", "/contact");
});

test("a guardian under 18 is refused beside the birth date", async () => {
  const guardian = { ...learner, scope: ["guardian"], birth_date: "1980-04-01" };
  const { screen } = await openFor(guardian, ProfileSettingsScreen, {
    "PUT accounts/profile/": () =>
      problem(400, "INVALID", { errors: [{ field: "birth_date", code: "GUARDIAN_UNDER_18" }] }),
  });
  await screen.getByRole("group", { name: "生年月日" }).getByLabelText("年").fill("2015");
  await screen.getByRole("button", { name: "保存する" }).click();
  await expect
    .element(screen.getByText("保護者になれるのは、18歳以上の方です。生年月日をご確認ください。"))
    .toBeVisible();
});

test("asking again too soon shows the wait", async () => {
  const minor = { ...learner, guardian_consent: "waiting" as const };
  const { screen } = await openFor(minor, ProfileSettingsScreen, {
    "POST accounts/guardian/consent/": () =>
      problem(429, "RESEND_TOO_SOON", {}, { "retry-after": "45" }),
  });
  const form = screen.getByRole("form", { name: "保護者の同意" });
  await form.getByLabelText("保護者の方のお名前").fill("木下 恵");
  await form.getByLabelText("続柄").selectOptions("母");
  await form.getByLabelText("保護者の方のメールアドレス").fill("megumi@demo.example");
  await form.getByRole("button", { name: "もう一度メールを送る" }).click();
  await expect.element(form.getByText(/45秒ほど待ってからお試しください。/)).toBeVisible();
});
