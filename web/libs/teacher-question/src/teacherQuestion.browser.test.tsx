import { sessionStore } from "@konomana/session";
import { done, learner, problem } from "@konomana/testing";
import { expect, test, vi } from "vitest";
import {
  allowance,
  answered,
  asked,
  ID,
  open,
  pageOf,
  reply,
  TEXT,
  thread,
  waiting,
} from "./teacherQuestionTesting";

test("a question at a second is sent once with its key, also after a failure", async () => {
  let tries = 0;
  const { screen, calls, router } = await open("/mypage/question/new?lesson=201010101&at=200", {
    "POST desk/question/": () =>
      ++tries === 1 ? problem(502, "UPSTREAM_UNAVAILABLE") : { id: ID },
    "GET desk/question/{id}/": () => ({ question: waiting, messages: [asked] }),
  });
  await expect.element(screen.getByText("今月はあと2回質問できます（月3回まで）")).toBeVisible();
  await expect.element(screen.getByRole("link", { name: "正の数と負の数（3:20）" })).toBeVisible();
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await screen.getByRole("checkbox").click();
  await screen.getByRole("button", { name: "質問を送る" }).click();
  await expect.element(screen.getByText("質問を送れませんでした")).toBeVisible();
  await expect.element(screen.getByRole("textbox", { name: "質問" })).toHaveValue(TEXT);
  await screen.getByRole("button", { name: "質問を送る" }).click();
  await expect.poll(() => router.state.location.pathname).toBe(`/mypage/question/${ID}`);
  const sent = calls.filter(({ method }) => method === "POST");
  expect(sent.map(({ body }) => body)).toEqual(
    Array.from({ length: 2 }, () => ({
      text: TEXT,
      is_shared: true,
      lesson: 201010101,
      at: 200,
      exercise: null,
      pictures: [],
    })),
  );
  const [first, second] = sent.map(({ headers }) => headers.get("idempotency-key"));
  expect(first).toBe(second);
  await expect
    .element(screen.getByText("2026年11月22日(日) 09:00までに回答します。"))
    .toBeVisible();
});

test("the typed text survives a reload", async () => {
  const first = await open("/mypage/question/new", {});
  await first.screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await first.screen.unmount();
  sessionStore.signIn(learner);
  const { screen } = await open("/mypage/question/new", {});
  await expect.element(screen.getByRole("textbox", { name: "質問" })).toHaveValue(TEXT);
});

test("a short question and a used-up month are shown beside the form", async () => {
  const { screen } = await open("/mypage/question/new", {
    "GET desk/question/allowance/": () => ({ ...allowance, left: 0 }),
    "POST desk/question/": () => problem(409, "QUESTIONS_USED_UP"),
  });
  await expect
    .element(screen.getByText(/2026年12月1日\(火\) 00:00から、また質問できます。/))
    .toBeVisible();
  await screen.getByRole("textbox", { name: "質問" }).fill("なぜ");
  await screen.getByRole("button", { name: "質問を送る" }).click();
  await expect.element(screen.getByText("質問は10文字以上で入力してください。")).toBeVisible();
  await screen.getByRole("textbox", { name: "質問" }).fill(TEXT);
  await screen.getByRole("button", { name: "質問を送る" }).click();
  await expect.element(screen.getByText(/今月の質問は使いきりました。/)).toBeVisible();
});

test("a subscriber has no limit and an answer within a day", async () => {
  const { screen } = await open("/mypage/question", {
    "GET desk/question/allowance/": () => ({ ...allowance, left: null }),
    "GET desk/question/": () =>
      pageOf([
        { ...answered, is_unread: true },
        { ...waiting, id: ID.replace("4aff", "4b00"), teacher: "高瀬航" },
      ]),
  });
  await expect.element(screen.getByText(/24時間以内に、先生が回答します。/)).toBeVisible();
  await expect.element(screen.getByText("新しい回答")).toBeVisible();
  await expect.element(screen.getByText(/高瀬航先生が回答を準備しています。/)).toBeVisible();
});

test("an answer leads to its second, is thanked for and asked about again", async () => {
  let question = answered;
  const { screen, calls } = await open(`/mypage/question/${ID}`, {
    "GET desk/question/{id}/": () => ({ ...thread, question }),
    "PUT desk/question/{id}/thanks/": () => {
      question = { ...question, is_thanked: true };
      return done();
    },
    "PUT desk/question/{id}/sharing/": () => done(),
    "POST desk/question/{id}/again/": () => {
      question = { ...question, is_waiting: true, can_ask_again: false };
      return done();
    },
  });
  await expect
    .element(screen.getByRole("link", { name: "この場面を見る（3:05から）" }))
    .toHaveAttribute("href", "/lecture/201010101?at=185");
  await screen.getByRole("button", { name: /ありがとうございます/ }).click();
  const thanks = screen.getByRole("status").filter({ hasText: "先生にお礼を伝えました。" });
  await expect.element(thanks).toHaveFocus();
  await screen
    .getByRole("checkbox", {
      name: /^この講座を持っているほかの人にも、質問と付けた写真を、名前を出さずに/,
    })
    .click();
  await screen.getByRole("textbox").fill("二行目がまだわかりません。");
  await screen.getByRole("button", { name: "続けて質問する" }).click();
  await expect.element(screen.getByText("回答待ち")).toBeVisible();
  const sharing = calls.find(({ path }) => path.endsWith("/sharing/"));
  expect(sharing?.body).toEqual({ is_shared: true });
});

test("sharing ignores further presses until the server has replied", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { screen, calls } = await open(`/mypage/question/${ID}`, {
    "GET desk/question/{id}/": () => ({
      question: { ...waiting, is_shared: calls.some(({ method }) => method === "PUT") },
      messages: [asked],
    }),
    "PUT desk/question/{id}/sharing/": async () => {
      await promise;
      return done();
    },
  });
  const box = screen.getByRole("checkbox", { name: /^回答のあと、この講座を持っている/ });
  await box.click();
  await expect.element(box).toHaveAttribute("aria-disabled", "true");
  await box.click({ force: true });
  await expect.element(box).toBeChecked();
  resolve();
  await expect.element(box).toHaveAttribute("aria-disabled", "false");
  await expect.element(box).toBeChecked();
  const sent = calls.filter(({ method }) => method === "PUT").map(({ body }) => body);
  expect(sent).toEqual([{ is_shared: true }]);
});

test("a follow-up's text survives a reload, and is restored once", async () => {
  const answers = { "GET desk/question/{id}/": () => thread };
  const first = await open(`/mypage/question/${ID}`, answers);
  await first.screen.getByRole("textbox").fill(TEXT);
  await first.screen.unmount();
  sessionStore.signIn(learner);
  const written = vi.spyOn(Storage.prototype, "setItem");
  const { screen } = await open(`/mypage/question/${ID}`, answers);
  await expect.element(screen.getByRole("textbox")).toHaveValue(TEXT);
  const writes = () => written.mock.calls.filter(([key]) => key.includes("question-again")).length;
  const before = writes();
  await screen.getByRole("textbox").fill(`${TEXT}二行目です。`);
  await expect.element(screen.getByRole("textbox")).toHaveValue(`${TEXT}二行目です。`);
  expect(writes() - before).toBe(1);
  written.mockRestore();
});

test("a question that is too long is told to screen readers", async () => {
  const { screen } = await open("/mypage/question/new", {});
  await screen.getByRole("textbox", { name: "質問" }).fill("あ".repeat(2001));
  await expect
    .element(screen.getByText("2,001 / 2,000文字（あと1文字、へらしてください）"))
    .toBeVisible();
  await expect
    .element(screen.getByRole("status").filter({ hasText: "あと1文字、へらしてください。" }))
    .toBeInTheDocument();
});

test("shared questions of a lesson have no name", async () => {
  const shared = { id: ID, at: 200, messages: [asked, reply], is_own: false };
  const { screen } = await open("/mypage/question/lesson/201010101", {
    "GET desk/lesson/201010101/question/": () => pageOf([shared]),
  });
  await expect.element(screen.getByText(/^生徒・/)).toBeVisible();
  await expect.element(screen.getByText(/^高瀬航先生・/)).toBeVisible();
});
