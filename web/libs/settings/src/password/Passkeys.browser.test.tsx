import type { Passkey } from "../api";
import { afterEach, expect, test, vi } from "vitest";
import { sessionStore } from "@konomana/session";
import { done, json, learner, problem } from "@konomana/testing";
import { openFor } from "../settingsTesting";
import { Adding, Passkeys } from "./Passkeys";

function PasskeysWithKit() {
  return <Passkeys />;
}

const phone: Passkey = {
  id: "p1",
  name: "自分のスマホ",
  created: "2026-11-01T00:00:00Z",
  last_used: null,
  suspended: null,
};

/** Options as the server sends them. Bytes are base64url. */
const options = {
  challenge: "c1",
  options: {
    publicKey: {
      rp: { id: "localhost", name: "コノマナ" },
      user: { id: "AQID", name: "adult@demo.example", displayName: "木下 葵" },
      challenge: "BAUG",
      pubKeyCredParams: [{ type: "public-key", alg: -7 }],
    },
  },
};

afterEach(() => vi.restoreAllMocks());

/** Mocks the browser's passkey creation. */
function device(answer: () => Promise<Credential | null>) {
  return vi.spyOn(navigator.credentials, "create").mockImplementation(answer);
}

/** A credential of the browser's own class, made without an authenticator. */
function credential(): Credential {
  const made = Object.create(PublicKeyCredential.prototype) as PublicKeyCredential;
  Object.defineProperty(made, "toJSON", { value: () => ({ id: "AQID", type: "public-key" }) });
  return made;
}

async function fill(screen: Awaited<ReturnType<typeof openFor>>["screen"]) {
  await screen.getByRole("button", { name: "パスキーを追加する" }).click();
  const form = screen.getByRole("form", { name: "パスキーの追加" });
  await form.getByLabelText("パスキーの名前").fill("自分のスマホ");
  await form.getByLabelText("いまのパスワード").fill("himitsu");
  await form.getByRole("button", { name: "追加する" }).click();
  return form;
}

test("a passkey is created by the device and saved under its name", async () => {
  const create = device(async () => credential());
  let list: Passkey[] = [];
  const { screen, calls, blue } = await openFor(learner, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: list }),
    "POST accounts/passkeys/options/": () => json(options),
    "POST accounts/passkeys/": () => {
      list = [phone];
      return json(phone, 201);
    },
  });
  await fill(screen);
  await expect.element(screen.getByText("自分のスマホ", { exact: true })).toBeVisible();
  await expect.element(screen.getByRole("button", { name: "パスキーを追加する" })).toHaveFocus();
  expect(blue()).toBe("パスキーを追加しました。");
  expect(calls.filter(({ call }) => call.startsWith("POST"))).toEqual([
    { call: "POST accounts/passkeys/options/", body: { password: "himitsu" } },
    {
      call: "POST accounts/passkeys/",
      body: {
        challenge: "c1",
        name: "自分のスマホ",
        credential: { id: "AQID", type: "public-key" },
      },
    },
  ]);
  const asked = create.mock.calls[0]?.[0]?.publicKey;
  expect(new Uint8Array(asked?.challenge as ArrayBuffer)).toEqual(new Uint8Array([4, 5, 6]));
});

test.each([
  ["NotAllowedError", "パスキーは追加されませんでした。もう一度お試しください。"],
  ["InvalidStateError", "この端末のパスキーは、もう追加されています。"],
])("%s of the device is shown, and the input stays", async (name, sentence) => {
  device(() => Promise.reject(new DOMException("", name)));
  const { screen, calls } = await openFor(learner, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: [] }),
    "POST accounts/passkeys/options/": () => json(options),
  });
  const form = await fill(screen);
  await expect.element(form.getByText(sentence)).toBeVisible();
  await expect.element(form.getByLabelText("パスキーの名前")).toHaveValue("自分のスマホ");
  expect(calls.some(({ call }) => call === "POST accounts/passkeys/")).toBe(false);
});

test.each([
  ["", "パスキーの名前を入力してください。"],
  ["https://example.com", "パスキーの名前に、リンクやメールアドレスは使えません。"],
])("a passkey with the name '%s' shows an error", async (typed, sentence) => {
  const { screen } = await openFor(learner, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: [] }),
  });
  await screen.getByRole("button", { name: "パスキーを追加する" }).click();
  await screen.getByLabelText("パスキーの名前").fill(typed);
  await screen.getByRole("button", { name: "追加する", exact: true }).click();
  await expect
    .element(screen.getByLabelText("パスキーの名前"))
    .toHaveAccessibleDescription(new RegExp(sentence));
});

test("with a wrong password the device is not asked", async () => {
  const create = device(async () => credential());
  const { screen } = await openFor(learner, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: [] }),
    "POST accounts/passkeys/options/": () => problem(400, "BAD_CREDENTIALS"),
  });
  const form = await fill(screen);
  await expect
    .element(form.getByLabelText("いまのパスワード"))
    .toHaveAccessibleDescription("パスワードが正しくありません。");
  expect(create).not.toHaveBeenCalled();
});

test("a passkey is renamed, and removed after a confirmation", async () => {
  let list = [phone];
  const { screen, blue } = await openFor(learner, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: list }),
    "PUT accounts/passkeys/{id}/": ({ body }) => {
      list = [{ ...phone, ...body }];
      return done();
    },
    "DELETE accounts/passkeys/{id}/": () => {
      list = [];
      return done();
    },
  });
  await screen.getByRole("button", { name: "自分のスマホの名前を変える" }).click();
  await screen.getByLabelText("新しい名前").fill("古いスマホ");
  await screen.getByRole("button", { name: "この名前にする" }).click();
  await expect.element(screen.getByText("古いスマホ", { exact: true })).toBeVisible();
  expect(blue()).toBe("パスキーの名前を変えました。");

  await screen.getByRole("button", { name: "古いスマホを削除する" }).click();
  await screen.getByRole("dialog").getByRole("button", { name: "削除する" }).click();
  await expect.element(screen.getByText("古いスマホ", { exact: true })).not.toBeInTheDocument();
});

test("a suspended passkey is kept with the password, and the warning disappears", async () => {
  let list: Passkey[] = [{ ...phone, suspended: "2026-11-20T00:00:00Z" }];
  const user = { ...learner, suspended_passkeys: 1 };
  const { screen, calls, blue } = await openFor(user, PasskeysWithKit, {
    "GET accounts/passkeys/": () => json({ results: list }),
    "GET accounts/user/": () => json(learner),
    "POST accounts/passkeys/{id}/keep/": ({ body }) => {
      if (body.password !== "himitsu") return problem(400, "BAD_CREDENTIALS");
      list = [phone];
      return done();
    },
  });
  await expect.element(screen.getByText("使えなくなっているパスキーがあります")).toBeVisible();
  await screen.getByRole("button", { name: "自分のスマホを使いつづける" }).click();
  const form = screen.getByRole("form", { name: "自分のスマホを使いつづける" });
  await form.getByLabelText("いまのパスワード").fill("chigau");
  await form.getByRole("button", { name: "使えるようにする" }).click();
  await expect
    .element(form.getByLabelText("いまのパスワード"))
    .toHaveAccessibleDescription("パスワードが正しくありません。");
  await form.getByLabelText("いまのパスワード").fill("himitsu");
  await form.getByRole("button", { name: "使えるようにする" }).click();
  await expect
    .element(screen.getByText("使えなくなっているパスキーがあります"))
    .not.toBeInTheDocument();
  await expect.poll(blue).toBe("パスキーを使えるようにしました。");
  await expect
    .element(screen.getByRole("button", { name: "自分のスマホの名前を変える" }))
    .toHaveFocus();
  expect(calls.some(({ call }) => call === "GET accounts/user/")).toBe(true);
  expect(sessionStore.get().user?.suspended_passkeys).toBe(0);
});

test("at an IP address the page explains why passkeys are not possible", async () => {
  const { screen } = await openFor(learner, () => <Adding hostname="127.0.0.1" />, {});
  await expect.element(screen.getByText(/^数字のアドレス（127\.0\.0\.1）で/)).toBeVisible();
  await expect.element(screen.getByRole("button")).not.toBeInTheDocument();
});
