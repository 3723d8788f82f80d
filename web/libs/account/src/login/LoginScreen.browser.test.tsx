import { answerFrom, type Answers, learner, problem, stubServer } from "@konomana/testing";
import { connectApi } from "@konomana/http";
import { loginReason, personalDataIn, sessionStore, startSession } from "@konomana/session";
import { Alerts } from "@konomana/ui-base";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { visitorsOnly as loader } from "../parts/visitorsOnly";
import { PasswordForgottenScreen } from "../password/PasswordForgottenScreen";
import { LoginScreen } from "./LoginScreen";

type Answer = (url: string, init: RequestInit) => Promise<Response>;
const server = vi.fn<Answer>();
let stop = () => {};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  sessionStore.reset();
  server.mockReset();
  vi.stubGlobal("fetch", server);
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
});

afterEach(() => {
  stop();
  localStorage.clear();
  vi.unstubAllGlobals();
});

async function open() {
  const queries = new QueryClient();
  const router = createMemoryRouter(
    // A router changes its routes as they load, so each test has its own.
    [
      { path: "/login", Component: LoginScreen, loader, HydrateFallback: () => null },
      { path: "/login/password", Component: PasswordForgottenScreen },
      { path: "/mypage", element: <h1>マイページ</h1> },
    ],
    { initialEntries: ["/login"] },
  );
  stop = startSession({
    personal: personalDataIn(queries),
    navigate: (path) => void router.navigate(path),
    currentPath: () => router.state.location.pathname,
    isPrivate: () => false,
  });
  const screen = await render(
    <QueryClientProvider client={queries}>
      <Alerts />
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  const email = screen.getByLabelText("メールアドレス");
  await expect.element(email).toBeVisible();
  return {
    screen,
    email,
    password: screen.getByLabelText("パスワード", { exact: true }),
    button: screen.getByRole("button", { name: /^ログイン/ }),
  };
}

test("spec §2: After login the user goes to /mypage", async () => {
  const answers: Answers = {
    "POST accounts/login/": () => ({ access_token: "a", refresh_token: "r" }),
    "GET accounts/user/": () => learner,
  };
  stubServer((call) => answerFrom(answers, call));
  const { screen, email, password, button } = await open();
  await email.fill("adult@demo.example");
  await password.fill("secret");
  await button.click();
  await expect.element(screen.getByRole("heading", { name: "マイページ" })).toBeVisible();
});

describe("a refused login", () => {
  test.each([
    [
      "a wrong password",
      problem(400, "BAD_CREDENTIALS"),
      "メールアドレスまたはパスワードが正しくありません。",
    ],
    [
      "too many tries",
      problem(429, "RATE_LIMITED", {}, { "retry-after": "90" }),
      "回数が多すぎるため、受け付けを止めています。2分ほど待ってからお試しください。",
    ],
  ])("%s shows a message and keeps the input", async (_, answer, sentence) => {
    server.mockResolvedValue(answer);
    const { screen, email, password, button } = await open();
    await email.fill("adult@demo.example");
    await password.fill("secret");
    await button.click();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await expect.element(email).toHaveValue("adult@demo.example");
    await expect.element(password).toHaveValue("secret");
  });

  test("a login lock counts down and announces its end", async () => {
    server.mockResolvedValue(problem(429, "RATE_LIMITED", {}, { "retry-after": "2" }));
    const { screen, email, password, button } = await open();
    await email.fill("adult@demo.example");
    await password.fill("secret");
    await button.click();
    const timer = screen.getByRole("timer", { name: "待つ時間" });
    await expect.element(timer).toHaveTextContent("あと2秒");
    await expect.element(timer).toHaveTextContent("あと1秒");
    await expect
      .poll(() => screen.getByText("もう一度お試しいただけます。").query(), { timeout: 4000 })
      .toBeTruthy();
  });

  test("the third wrong password offers a password reset and passes the address on", async () => {
    server.mockImplementation(async () => problem(400, "BAD_CREDENTIALS"));
    const { screen, email, password, button } = await open();
    const offer = screen.getByRole("link", { name: "新しいパスワードを決める" });
    await email.fill("adult@demo.example");
    for (const [tries, secret] of ["one", "two", "three"].entries()) {
      await expect.element(offer).not.toBeInTheDocument();
      await password.fill(secret);
      await button.click();
      await expect.poll(() => server.mock.calls.length).toBe(tries + 1);
      await expect.element(button).toHaveAttribute("aria-disabled", "false");
    }
    await offer.click();
    await expect.element(screen.getByRole("heading", { name: "パスワードの再設定" })).toBeVisible();
    await expect.element(screen.getByLabelText("メールアドレス")).toHaveValue("adult@demo.example");
  });
});

describe("why the login is shown", () => {
  test.each([
    ["needed", "続けるにはログインしてください。"],
    ["signedOut", "ログアウトしました。"],
    ["expired", /30日がたちました。/],
    ["ended", /別の端末での操作により、ログインが終了しました。/],
  ] as const)("the reason %s is shown once", async (reason, sentence) => {
    loginReason.keep(reason);
    const { screen } = await open();
    await expect.element(screen.getByText(sentence)).toBeVisible();
    await screen.unmount();
    stop();
    await expect.element((await open()).screen.getByText(sentence)).not.toBeInTheDocument();
  });
});

test("while the request is pending the button shows it and a second press sends nothing", async () => {
  server.mockReturnValue(new Promise(() => {}));
  const { screen, email, password, button } = await open();
  await email.fill("adult@demo.example");
  await password.fill("secret");
  await password.element().focus();
  await userEvent.keyboard("{Enter}");
  await expect.element(screen.getByText("ログインしています…")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(button).toHaveAttribute("aria-disabled", "true");
  expect(server).toHaveBeenCalledOnce();
});

const signs: readonly [string, KeyboardEventInit][] = [
  ["the event's flag", { isComposing: true }],
  ["the key code of Safari", { keyCode: 229 }],
];

test.each(signs)(
  "Enter that ends a Japanese conversion, told by %s, does not send the form",
  async (_, sign) => {
    const { email } = await open();
    const composing = new KeyboardEvent("keydown", {
      key: "Enter",
      ...sign,
      bubbles: true,
      cancelable: true,
    });
    email.element().dispatchEvent(composing);
    expect(composing.defaultPrevented).toBe(true);
    const plain = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
    email.element().dispatchEvent(plain);
    expect(plain.defaultPrevented).toBe(false);
  },
);

test("a field error appears when the field loses focus and disappears when it is corrected", async () => {
  const { screen, email } = await open();
  await email.fill("adult@demo");
  await userEvent.tab();
  await expect
    .element(email)
    .toHaveAccessibleDescription("メールアドレスの形式が正しくありません。");
  await email.fill("adult@demo.example");
  await userEvent.tab();
  await expect
    .element(screen.getByText("メールアドレスの形式が正しくありません。"))
    .not.toBeInTheDocument();
});
