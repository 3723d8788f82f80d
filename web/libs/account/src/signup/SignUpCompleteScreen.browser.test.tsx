import { rememberPath } from "@konomana/session";
import { beforeEach, describe, expect, test } from "vitest";
import { done, json, problem } from "@konomana/testing";
import { faultsOnAPhone, freshBrowser, open, signedIn, tokens } from "../accountTesting";
import { type PendingSignUp, pendingSignUp } from "./pendingSignUp";

const pending: PendingSignUp = {
  signup: "s1",
  email: "hanako@example.jp",
  kind: "learner",
  verified: true,
  byLink: false,
  resendAt: 0,
};
const year = new Date().getFullYear();
/** A birth date of a minor of school age, in every year in which this test runs. */
const born = { year: String(year - 14), month: "5", day: "9" };

const answers = {
  ...signedIn,
  "POST accounts/signup/complete/": () => json(tokens, 201),
  "POST accounts/guardian/consent/": () => done(202),
};

const guessable = () =>
  problem(400, "INVALID", { errors: [{ field: "password", code: "GUESSABLE" }] });

beforeEach(freshBrowser);

async function typed(
  given: Partial<PendingSignUp> = {},
  replies: Parameters<typeof open>[1] = answers,
) {
  pendingSignUp.keep({ ...pending, ...given });
  const opened = await open("/signup/complete", replies);
  const { screen } = opened;
  await screen.getByLabelText("姓").fill("山田");
  await screen.getByLabelText("名", { exact: true }).fill("花子");
  await screen.getByLabelText("セイ（フリガナ）").fill("やまだ");
  await screen.getByLabelText("メイ（フリガナ）").fill("ﾊﾅｺ");
  const birth = screen.getByRole("group", { name: "生年月日" });
  await birth.getByLabelText("年").fill(born.year);
  await birth.getByLabelText("月").fill(born.month);
  await birth.getByLabelText("日").fill(born.day);
  return opened;
}

const person = {
  signup: "s1",
  last_name: "山田",
  first_name: "花子",
  last_name_kana: "ヤマダ",
  first_name_kana: "ハナコ",
  birth_date: `${born.year}-05-09`,
  school_year: null,
};

test("a learner is signed in at the end and lands on the remembered page", async () => {
  rememberPath("/mypage/favorite");
  const { press, heading, calls } = await typed();
  await press("登録する");
  await expect.element(heading("お気に入り")).toBeVisible();
  expect(calls[0]).toEqual({ call: "POST accounts/signup/complete/", body: person });
  expect(localStorage.getItem("konomana.tokens")).toContain('"access_token":"a"');
  expect(sessionStorage.length).toBe(0);
});

test("a sign-up through the link asks for the password here, and no draft holds it", async () => {
  const { screen, press, heading, calls } = await typed(
    { byLink: true },
    {
      ...answers,
      "POST accounts/signup/complete/": ({ body }) =>
        body.password === "yamada1234" ? guessable() : json(tokens, 201),
    },
  );
  const password = screen.getByLabelText("パスワード", { exact: true });
  await expect.element(screen.getByText(/登録を始めた方とは限らないため/)).toBeVisible();
  await password.fill("short");
  await press("登録する");
  await expect
    .element(screen.getByText("パスワードは10文字以上で入力してください。"))
    .toBeVisible();
  expect(calls).toEqual([]);
  await password.fill("yamada1234");
  await press("登録する");
  await expect
    .element(screen.getByText("推測されやすいパスワードです。別のものを入力してください。"))
    .toBeVisible();
  await password.fill("midori no kaze 4417");
  expect(JSON.stringify(sessionStorage)).not.toContain("kaze 4417");
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await press("登録する");
  await expect.element(heading("マイページ")).toBeVisible();
  expect(calls[1]?.body).toEqual({ ...person, password: "midori no kaze 4417" });
});

test("a guardian is of age and has no school year", async () => {
  const { screen, press, heading, calls } = await typed({ kind: "guardian" });
  await expect.element(screen.getByLabelText("学年")).not.toBeInTheDocument();
  await press("登録する");
  await expect
    .element(screen.getByText("保護者になれるのは、18歳以上の方です。生年月日をご確認ください。"))
    .toBeVisible();
  expect(calls).toEqual([]);
  await screen.getByRole("group", { name: "生年月日" }).getByLabelText("年").fill("1980");
  await press("登録する");
  await expect.element(heading("マイページ")).toBeVisible();
  expect(calls[0]?.body).toEqual({ ...person, birth_date: "1980-05-09" });
});

describe("a minor", () => {
  test("may name a guardian", async () => {
    const { screen, press, heading, calls } = await typed();
    await screen.getByLabelText("いま、保護者の方に確認メールを送る").click();
    await screen.getByLabelText("保護者の方のお名前").fill("山田 太郎");
    await press("登録する");
    await expect.element(screen.getByText("続柄を選んでください。")).toBeVisible();
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
    await screen.getByLabelText("続柄").selectOptions("父");
    await screen.getByLabelText("保護者の方のメールアドレス").fill("taro@example.jp");
    await press("登録する");
    await expect.element(heading("マイページ")).toBeVisible();
    expect(calls.map(({ call, body }) => [call, body])).toEqual([
      ["POST accounts/signup/complete/", person],
      ["GET accounts/user/", {}],
      [
        "POST accounts/guardian/consent/",
        { name: "山田 太郎", relation: "父", email: "taro@example.jp" },
      ],
    ]);
  });

  test("is signed in and informed when the consent request fails", async () => {
    const { screen, press, heading } = await typed(
      {},
      {
        ...answers,
        "POST accounts/guardian/consent/": () => problem(502, "UPSTREAM_UNAVAILABLE"),
      },
    );
    await screen.getByLabelText("いま、保護者の方に確認メールを送る").click();
    await screen.getByLabelText("保護者の方のお名前").fill("山田 太郎");
    await screen.getByLabelText("続柄").selectOptions("父");
    await screen.getByLabelText("保護者の方のメールアドレス").fill("taro@example.jp");
    await press("登録する");
    await expect.element(heading("マイページ")).toBeVisible();
    await expect
      .element(screen.getByText(/保護者の方に確認メールを送れませんでした。/))
      .toBeVisible();
  });

  test("sees why their own mailbox cannot be a guardian's", async () => {
    const { screen, press, heading } = await typed(
      {},
      {
        ...answers,
        "POST accounts/guardian/consent/": () =>
          problem(400, "INVALID", { errors: [{ field: "email", code: "OWN_MAILBOX" }] }),
      },
    );
    await screen.getByLabelText("いま、保護者の方に確認メールを送る").click();
    await screen.getByLabelText("保護者の方のお名前").fill("山田 太郎");
    await screen.getByLabelText("続柄").selectOptions("父");
    await screen.getByLabelText("保護者の方のメールアドレス").fill("hanako+1@example.jp");
    await press("登録する");
    await expect.element(heading("マイページ")).toBeVisible();
    await expect.element(screen.getByText(/ご本人のメールアドレスは使えません。/)).toBeVisible();
  });

  test("a school year other than the usual one is sent as chosen", async () => {
    const { screen, press, heading, calls } = await typed();
    await screen.getByLabelText("学年").selectOptions("小1");
    await press("登録する");
    await expect.element(heading("マイページ")).toBeVisible();
    expect(calls[0]?.body).toEqual({ ...person, school_year: "小1" });
  });
});

test("input survives an error and a reload", async () => {
  const first = await typed(
    {},
    { ...answers, "POST accounts/signup/complete/": () => problem(502, "UPSTREAM_UNAVAILABLE") },
  );
  await first.press("登録する");
  await expect.element(first.screen.getByText("登録できませんでした")).toBeVisible();
  await first.screen.unmount();
  const { screen } = await open("/signup/complete", answers);
  await expect.element(screen.getByLabelText("姓")).toHaveValue("山田");
  await expect
    .element(screen.getByRole("group", { name: "生年月日" }).getByLabelText("月"))
    .toHaveValue("5");
});

test("an unconfirmed address leads back to the confirmation", async () => {
  pendingSignUp.keep({ ...pending, verified: false });
  const { screen } = await open("/signup/complete");
  await expect
    .element(screen.getByRole("link", { name: "メールアドレスの確認へ" }))
    .toHaveAttribute("href", "/signup/verify");
});
