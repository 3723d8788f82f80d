import { sessionEnd } from "@konomana/session";
import { learner, stubServer } from "@konomana/testing";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { AnswerStore } from "./protocol/answerStore";
import { forgetSitting } from "./protocol/OpenSitting";
import { EXAM, faults, openPage, resetSitting, sit, slow } from "./sittingPageTesting";

const refuse = () => Promise.reject(new DOMException("refused", "SecurityError"));

beforeEach(resetSitting);

describe("the network is cut", () => {
  test("answering continues with a notice, and all answers are saved after the reconnect", async () => {
    const { screen, server, state, press } = await sit();
    server.isCut = true;
    await screen.getByRole("radio").nth(0).click();
    await state("端末に保存");
    await expect.element(screen.getByText("サーバーにつながっていません"), slow).toBeVisible();
    await press("次の問題 →");
    await screen.getByRole("checkbox", { name: /イ/ }).click();
    await state("端末に保存");
    server.isCut = false;
    await state("保存済み");
    await expect.element(screen.getByText("サーバーにつながっていません")).not.toBeInTheDocument();
    expect(server.answers.get(101)?.answer).toEqual({ choices: [1] });
    expect(server.answers.get(102)?.answer).toEqual({ choices: [2] });
  });

  test("a reload opens the same question with every answer and sends the unsent ones", async () => {
    const { screen, server, press, state } = await sit();
    await press(/^問題 ?4/);
    server.isCut = true;
    await screen.getByLabelText("答え", { exact: true }).fill("鎌倉幕府");
    await state("端末に保存");
    await screen.unmount();
    forgetSitting();
    server.isCut = false;
    const again = await openPage(EXAM, server);
    await again.heading("問題 4 / 4");
    await expect
      .element(again.screen.getByLabelText("答え", { exact: true }))
      .toHaveValue("鎌倉幕府");
    await expect.poll(() => server.answers.get(104)?.answer, slow).toEqual({ text: "鎌倉幕府" });
  });
});

test("without storage a notice is shown, and the server has the answers", async () => {
  vi.spyOn(AnswerStore.prototype, "open").mockImplementation(refuse);
  vi.spyOn(AnswerStore.prototype, "put").mockImplementation(refuse);
  const { screen, state } = await sit();
  await expect.element(screen.getByText("この端末に保存できません")).toBeVisible();
  await screen.getByRole("radio").nth(0).click();
  await state("保存済み");
  vi.restoreAllMocks();
});

describe("the session ends", () => {
  beforeEach(() => sessionEnd.set(null));

  test("a message asks for a login, which does not leave the question", async () => {
    const { screen, server, press, heading, state } = await sit();
    const usual = server.answer;
    server.answer = (call) =>
      call.path === "accounts/login/" ? { access_token: "a", refresh_token: "r" } : usual(call);
    stubServer(server.answer);
    server.refuses = 401;
    await screen.getByRole("radio").nth(1).click();
    await state("端末に保存");
    sessionEnd.set("ended");
    await expect.element(screen.getByText("ログインの期限が切れました")).toBeVisible();
    await press("次の問題 →");
    await heading("問題 2 / 4");
    await screen.getByRole("checkbox", { name: /ア/ }).click();
    await state("端末に保存");
    await press("ログインして送る");
    const dialog = screen.getByRole("dialog", { name: "もう一度ログインする" });
    await expect.element(dialog.getByText(learner.email)).toBeVisible();
    expect(await faults()).toEqual([]);
    await dialog.getByLabelText("パスワード", { exact: true }).fill("midori no kaze");
    server.refuses = null;
    await dialog.getByRole("button", { name: "ログイン", exact: true }).click();
    await state("保存済み");
    expect(server.answers.get(101)?.answer).toEqual({ choices: [2] });
    expect(server.answers.get(102)?.answer).toEqual({ choices: [1] });
  });
});
