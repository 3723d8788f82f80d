import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { json, problem } from "@konomana/testing";
import { freshBrowser, open, signedIn, tokens } from "../accountTesting";

/** Options as the server sends them. Bytes are base64url. */
const options = { challenge: "c1", options: { publicKey: { challenge: "BAUG" } } };

beforeEach(freshBrowser);
afterEach(() => vi.restoreAllMocks());

/** A signature of the browser's own class, made without an authenticator. */
function signature(): Credential {
  const signed = Object.create(PublicKeyCredential.prototype) as PublicKeyCredential;
  Object.defineProperty(signed, "toJSON", { value: () => ({ id: "AQID" }) });
  return signed;
}

test("a passkey signs in without a password", async () => {
  const get = vi.spyOn(navigator.credentials, "get").mockResolvedValue(signature());
  const { screen, calls } = await open("/login", {
    ...signedIn,
    "POST accounts/login/passkey/options/": () => json(options),
    "POST accounts/login/passkey/": () => json(tokens),
  });
  await screen.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect.element(screen.getByRole("heading", { name: "マイページ" })).toBeVisible();
  expect(calls.find(({ call }) => call === "POST accounts/login/passkey/")?.body).toEqual({
    challenge: "c1",
    credential: { id: "AQID" },
  });
  const asked = get.mock.calls[0]?.[0]?.publicKey;
  expect(new Uint8Array(asked?.challenge as ArrayBuffer)).toEqual(new Uint8Array([4, 5, 6]));
});

test("without a passkey, or after a cancel, the screen names the other way to sign in", async () => {
  vi.spyOn(navigator.credentials, "get").mockRejectedValue(new DOMException("", "NotAllowedError"));
  const { screen } = await open("/login", {
    "POST accounts/login/passkey/options/": () => json(options),
  });
  await screen.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect.element(screen.getByText(/^パスキーを使えませんでした。/)).toBeVisible();
});

test("a passkey unknown to the server shows a message", async () => {
  vi.spyOn(navigator.credentials, "get").mockResolvedValue(signature());
  const { screen } = await open("/login", {
    "POST accounts/login/passkey/options/": () => json(options),
    "POST accounts/login/passkey/": () => problem(400, "PASSKEY_UNKNOWN"),
  });
  await screen.getByRole("button", { name: "パスキーでログイン" }).click();
  await expect
    .element(
      screen.getByText("このパスキーではログインできません。パスワードでログインしてください。"),
    )
    .toBeVisible();
});
