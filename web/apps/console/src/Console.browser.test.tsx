import { connectApi } from "@konomana/http";
import { hasTokens, sessionStore, personalDataIn, startSession } from "@konomana/session";
import {
  answerFrom,
  type ApiCall,
  type Answers,
  done,
  learner,
  stubServer,
} from "@konomana/testing";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { afterEach, beforeEach, expect, test } from "vitest";
import { page } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Console } from "./Console";

let stop = () => {};
/** A stub server with one user that has these permissions. Returns its calls. */
function serve(scope: string[]): ApiCall[] {
  const answers: Answers = {
    "POST accounts/login/": () => ({ access_token: "a", refresh_token: "r" }),
    "GET accounts/user/": () => ({ ...learner, last_name: "早川", first_name: "真", scope }),
    "POST accounts/logout/": () => done(),
  };
  return stubServer((call) => answerFrom(answers, call));
}

async function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  stop = startSession({
    personal: personalDataIn(queries),
    navigate: () => {},
    isPrivate: () => false,
    currentPath: () => "/mypage",
  });
  await render(
    <QueryClientProvider client={queries}>
      <Console />
    </QueryClientProvider>,
  );
}

async function signIn() {
  await page.getByLabelText("メールアドレス").fill("staff@demo.example");
  await page.getByLabelText("パスワード", { exact: true }).fill("secret");
  await page.getByRole("button", { name: "ログイン" }).click();
}

beforeEach(() => {
  localStorage.clear();
  sessionStore.reset();
  connectApi({ cookies: () => "XSRF-TOKEN=n.m" });
});

afterEach(() => {
  stop();
  localStorage.clear();
});

test.each(["staff:content", "staff:support", "staff:commerce"])("%s can sign in", async (scope) => {
  serve([scope]);
  await open();
  await signIn();
  await expect.element(page.getByText(/早川 真さんとしてログインしています/)).toBeVisible();
  await page.getByRole("button", { name: "ログアウト" }).click();
  await expect.element(page.getByRole("heading", { name: "スタッフのログイン" })).toBeVisible();
});

test("an account without a staff permission is refused and signed out", async () => {
  const calls = serve(["learner", "guardian"]);
  await open();
  await signIn();
  await expect.element(page.getByText(/スタッフ用のアカウントではないため/)).toBeVisible();
  expect(calls.map(({ path }) => path)).toContain("accounts/logout/");
  expect(hasTokens()).toBe(false);
  expect(page.getByLabelText("メールアドレス").element()).toHaveValue("staff@demo.example");
});

test("a learner who is signed in on the site sees the sign-in form", async () => {
  serve(["learner"]);
  sessionStore.signIn(learner);
  await open();
  await expect.element(page.getByRole("heading", { name: "スタッフのログイン" })).toBeVisible();
});

test("it has no accessibility fault", async () => {
  serve([]);
  await open();
  expect((await axe.run(document.body)).violations).toEqual([]);
});
