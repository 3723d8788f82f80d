import { type Item } from "@konomana/http";
import { beforeEach, expect, test } from "vitest";
import { done, json, listOf, problem } from "@konomana/testing";
import { faultsOnAPhone, freshBrowser, open } from "../accountTesting";

beforeEach(freshBrowser);

test.each([
  [
    "/confirm/email",
    "POST accounts/email/confirm/",
    "メールアドレスを変える",
    "メールアドレスを変えました",
  ],
  ["/confirm/stop", "POST accounts/email/stop/", "変更を止める", "変更を止めました"],
  ["/confirm/undo", "POST accounts/email/undo/", "もとに戻す", "もとに戻しました"],
])("%s runs its action when its button is pressed", async (path, call, label, outcome) => {
  const { press, heading, calls, router } = await open(`${path}#token=t1`, {
    "POST accounts/email/confirm/": () => done(),
    "POST accounts/email/stop/": () => done(),
    "POST accounts/email/undo/": () => done(),
  });
  await expect.poll(() => router.state.location.hash).toBe("");
  expect(calls).toEqual([]);
  await press(label);
  await expect.element(heading(outcome)).toBeVisible();
  await expect.element(heading(outcome)).toHaveFocus();
  expect(calls).toEqual([{ call, body: { token: "t1" } }]);
});

test.each([
  [
    "/confirm/email",
    "POST accounts/email/confirm/",
    "メールアドレスを変える",
    /^もう一度変えるときは、/,
  ],
  ["/confirm/stop", "POST accounts/email/stop/", "変更を止める", /^もう変わっているときは、/],
  [
    "/confirm/undo",
    "POST accounts/email/undo/",
    "もとに戻す",
    /^もとに戻していないのにログインできないときは、/,
  ],
])(
  "a link to %s that expires before the press loses its button and shows what to do",
  async (path, call, label, next) => {
    const { screen, press, heading } = await open(`${path}#token=t1`, {
      [call]: () => problem(400, "LINK_DEAD"),
    });
    await press(label);
    await expect.element(screen.getByText(/^このリンクは使えません。/)).toBeVisible();
    await expect.element(screen.getByText(next)).toBeVisible();
    await expect.element(screen.getByRole("link", { name: "お問い合わせ" })).toBeVisible();
    await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
    await expect.element(heading(/メールアドレス/)).toHaveFocus();
    expect(await faultsOnAPhone(screen.container)).toEqual([]);
  },
);

test("a link that failed temporarily can be used again", async () => {
  let isUp = false;
  const { screen, press, heading } = await open("/confirm/stop#token=t1", {
    "POST accounts/email/stop/": () => (isUp ? done() : problem(502, "UPSTREAM_UNAVAILABLE")),
  });
  await press("変更を止める");
  await expect.element(screen.getByText("止められませんでした")).toBeVisible();
  isUp = true;
  await press("変更を止める");
  await expect.element(heading("変更を止めました")).toBeVisible();
});

const asked = { learner_name: "山田 花子", guardian_name: "山田 太郎" };

const productOf = (
  id: number,
  given: Pick<Item<"/api/commerce/product/">, "kind" | "name" | "price">,
): Item<"/api/commerce/product/"> => ({
  id,
  summary: "",
  description: "",
  period_days: null,
  course_id: null,
  exam_id: null,
  places_left: null,
  application_closes_at: null,
  sale_starts_at: "2025-03-10T00:00:00Z",
  sale_ends_at: null,
  is_on_sale: true,
  ...given,
});

const products = listOf(
  productOf(1101, { kind: "course", name: "中1英語", price: 13_200 }),
  productOf(1304, { kind: "course", name: "高3社会", price: 27_500 }),
  productOf(3001, { kind: "subscription", name: "月額 質問し放題", price: 2980 }),
);

test("a guardian sees the people and products concerned, then consents", async () => {
  const { screen, press, heading, calls } = await open("/confirm/guardian#token=t1", {
    "POST accounts/guardian/consent/check/": () => json(asked),
    "POST accounts/guardian/consent/confirm/": () => done(),
    "GET commerce/product/": () => products,
  });
  await expect.element(screen.getByText("山田 花子さん")).toBeVisible();
  await expect.element(screen.getByText("同意していただく内容")).toBeVisible();
  for (const said of [/^株式会社コノマナ/, /いつでも取り消せます。/])
    await expect.element(screen.getByText(said)).toBeVisible();
  await expect
    .element(screen.getByText("講座（1つずつの買い切り）：13,200円から27,500円（税込）"))
    .toBeVisible();
  await expect.element(screen.getByText("月額 質問し放題：月2,980円（税込）")).toBeVisible();
  await expect
    .element(screen.getByRole("link", { name: "特定商取引法に基づく表記" }))
    .toHaveAttribute("href", "/commerce");
  await press("同意する");
  await expect.element(screen.getByText("お名前を入力してください。")).toBeVisible();
  await expect.element(screen.getByText("18歳以上の保護者の方だけが同意できます。")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await screen.getByLabelText("保護者の方ご自身のお名前").fill("山田 太郎");
  await screen.getByLabelText("私は18歳以上で、お子さまの保護者です。").click();
  await press("同意する");
  await expect.element(heading("同意を受け付けました")).toHaveFocus();
  await expect.element(heading("同意を受け付けました")).toBeInViewport();
  expect(calls.filter(({ call }) => call !== "GET commerce/product/")).toEqual([
    { call: "POST accounts/guardian/consent/check/", body: { token: "t1" } },
    {
      call: "POST accounts/guardian/consent/confirm/",
      body: { token: "t1", guardian_name: "山田 太郎", is_adult: true },
    },
  ]);
});

test("a mailbox that cannot belong to a guardian shows no form", async () => {
  const { screen } = await open("/confirm/guardian#token=t1", {
    "POST accounts/guardian/consent/check/": () => problem(409, "GUARDIAN_MAILBOX"),
  });
  await expect
    .element(screen.getByText(/^このメールアドレスでは、保護者の方の手続きができません。/))
    .toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});

test("a guardian withdraws consent", async () => {
  const { screen, press, heading, calls } = await open("/confirm/withdraw#token=t1", {
    "POST accounts/guardian/consent/withdraw/check/": () => json(asked),
    "POST accounts/guardian/consent/withdraw/": () => done(),
  });
  await expect.element(screen.getByText("山田 花子さん")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await press("同意を取り消す");
  await expect.element(heading("同意を取り消しました")).toBeVisible();
  expect(calls.map(({ call }) => call)).toEqual([
    "POST accounts/guardian/consent/withdraw/check/",
    "POST accounts/guardian/consent/withdraw/",
  ]);
});

const change = {
  learner_name: "山田 花子",
  birth_date: "2011-04-01",
  requested_birth_date: "2000-01-01",
};

test.each([
  ["正しいので承認する", true, "変更を承認しました"],
  ["断る", false, "変更を断りました"],
])("a guardian decides on a birth date: %s", async (label, approve, outcome) => {
  const { screen, press, heading, calls } = await open("/confirm/birth-date#token=t1", {
    "POST accounts/guardian/birth-date/check/": () => json(change),
    "POST accounts/guardian/birth-date/": () => done(),
  });
  await expect.element(screen.getByText("2011年4月1日")).toBeVisible();
  await expect.element(screen.getByText("2000年1月1日")).toBeVisible();
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
  await press(label);
  await expect.element(heading(outcome)).toHaveFocus();
  expect(calls.at(-1)).toEqual({
    call: "POST accounts/guardian/birth-date/",
    body: { token: "t1", approve },
  });
});

test("consent through a link that expired meanwhile is refused without a form", async () => {
  const { screen, press } = await open("/confirm/guardian#token=t1", {
    "POST accounts/guardian/consent/check/": () => json(asked),
    "POST accounts/guardian/consent/confirm/": () => problem(400, "LINK_DEAD"),
  });
  await screen.getByLabelText("保護者の方ご自身のお名前").fill("山田 太郎");
  await screen.getByLabelText("私は18歳以上で、お子さまの保護者です。").click();
  await press("同意する");
  await expect.element(screen.getByText(/^同意がまだのときは、/)).toBeVisible();
  await expect.element(screen.getByRole("form")).not.toBeInTheDocument();
});

test.each([
  ["/confirm/guardian", "POST accounts/guardian/consent/check/"],
  ["/confirm/withdraw", "POST accounts/guardian/consent/withdraw/check/"],
  ["/confirm/birth-date", "POST accounts/guardian/birth-date/check/"],
])("an expired link to %s has no button", async (path, check) => {
  const { screen } = await open(`${path}#token=t1`, {
    [check]: () => problem(400, "LINK_DEAD"),
  });
  await expect
    .element(screen.getByText("このリンクは使えません。期限が切れたか、すでに使われています。"))
    .toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});

test.each([
  "/confirm/email",
  "/confirm/stop",
  "/confirm/undo",
  "/confirm/guardian",
  "/confirm/withdraw",
  "/confirm/birth-date",
])("%s without a link explains where the link comes from", async (path) => {
  const { screen, calls } = await open(path);
  await expect.element(screen.getByText("この画面は、メールのリンクから開きます。")).toBeVisible();
  expect(calls).toEqual([]);
});

test("a person without a session ends the mails of a topic with one press", async () => {
  const { screen, press, heading, calls } = await open("/confirm/unsubscribe#token=t1", {
    "POST desk/notification/unsubscribe/{token}/": () => json({ topic: "event" }),
  });
  expect(calls).toEqual([]);
  await press("メールを止める");
  await expect.element(heading("メールを止めました")).toHaveFocus();
  expect(calls.map(({ call }) => call)).toEqual(["POST desk/notification/unsubscribe/t1/"]);
  expect(await faultsOnAPhone(screen.container)).toEqual([]);
});

test("a damaged link of a mail says where the mails are ended", async () => {
  const { screen, press } = await open("/confirm/unsubscribe#token=t1", {
    "POST desk/notification/unsubscribe/{token}/": () => problem(400, "LINK_DEAD"),
  });
  await press("メールを止める");
  await expect
    .element(screen.getByText("「設定」の「お知らせの受け取り」から止められます。"))
    .toBeVisible();
});
