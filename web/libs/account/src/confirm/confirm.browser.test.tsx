import { beforeEach, expect, test } from "vitest";
import { done, freshBrowser, json, open, problem } from "../testing";

beforeEach(freshBrowser);

test.each([
  ["/confirm/email", "email/confirm/", "メールアドレスを変える", "メールアドレスを変えました"],
  ["/confirm/stop", "email/stop/", "変更を止める", "変更を止めました"],
  ["/confirm/undo", "email/undo/", "もとに戻す", "もとに戻しました"],
])("%s does what it says once its button is pressed", async (path, call, label, outcome) => {
  const { press, heading, calls, router } = await open(`${path}#token=t1`, {
    [call]: () => done(),
  });
  await expect.poll(() => router.state.location.hash).toBe("");
  expect(calls).toEqual([]);
  await press(label);
  await expect.element(heading(outcome)).toBeVisible();
  expect(calls).toEqual([{ call, body: { token: "t1" } }]);
});

const asked = { learner_name: "山田 花子", guardian_name: "山田 太郎" };

test("a guardian reads whom it is about, and agrees", async () => {
  const { screen, press, heading, calls } = await open("/confirm/guardian#token=t1", {
    "guardian/consent/check/": () => json(asked),
    "guardian/consent/confirm/": () => done(),
  });
  await expect.element(screen.getByText("山田 花子さん")).toBeVisible();
  await press("同意する");
  await expect.element(heading("同意を受け付けました")).toBeVisible();
  expect(calls.map(({ call }) => call)).toEqual([
    "guardian/consent/check/",
    "guardian/consent/confirm/",
  ]);
});

test("a dead link has no button", async () => {
  const { screen } = await open("/confirm/guardian#token=t1", {
    "guardian/consent/check/": () => problem(400, "LINK_DEAD"),
  });
  await expect
    .element(screen.getByText("このリンクは使えません。期限が切れたか、すでに使われています。"))
    .toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});

test.each(["/confirm/email", "/confirm/stop", "/confirm/undo", "/confirm/guardian"])(
  "%s without a link says where it comes from",
  async (path) => {
    const { screen, calls } = await open(path);
    await expect
      .element(screen.getByText("この画面は、メールのリンクから開きます。"))
      .toBeVisible();
    expect(calls).toEqual([]);
  },
);
