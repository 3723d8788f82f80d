import { beforeEach, describe, expect, test } from "vitest";
import { page, userEvent } from "vitest/browser";
import { ExamServer, questions, writtenQuestion } from "./sittingTesting";
import { EXAM, faults, openPage, resetSitting, sit, slow } from "./sittingPageTesting";

/** Presses Tab until an element with that name has the focus. */
async function tabTo(name: string) {
  for (let step = 0; step < 60; step++) {
    await userEvent.keyboard("{Tab}");
    const now = document.activeElement;
    if ((now?.getAttribute("aria-label") ?? now?.textContent) === name) return;
  }
  expect.unreachable(`${name} was not reached`);
}

beforeEach(resetSitting);

test("a subject is chosen, its rules are shown, and the time starts", async () => {
  const { screen, server, press, heading } = await openPage(EXAM);
  await heading("教科を選ぶ");
  await screen.getByRole("link", { name: "数学を選ぶ" }).click();
  await heading("数学を始めます");
  await expect.element(screen.getByText("時間は50分、問題は4問です。")).toBeVisible();
  expect(server.startedAt).toBeNull();
  await press("始める");
  await heading("問題 1 / 4");
  await expect
    .poll(() => screen.getByRole("timer").element().textContent, slow)
    .toMatch(/^残り(?:50:00|49:\d\d)$/);
  await expect.element(screen.getByText(/誤差\d+\.\d秒以内/)).toBeVisible();
});

test("extra time is told with the longer times, before the start", async () => {
  const server = new ExamServer();
  const usual = server.answer;
  server.answer = (call) =>
    call.path === "exam/application/1/" ? { ...server.sheet, time_percent: 130 } : usual(call);
  const { screen, heading } = await openPage(EXAM, server);
  await heading("教科を選ぶ");
  await expect.element(screen.getByText("試験の時間は1.3倍です")).toBeVisible();
  await screen.getByRole("link", { name: "数学を選ぶ" }).click();
  await heading("数学を始めます");
  await expect.element(screen.getByText("時間は1時間5分、問題は4問です。")).toBeVisible();
  await expect.element(screen.getByText("試験の時間は1.3倍です")).toBeVisible();
});

test("a refused start shows the reason, and the next attempt starts", async () => {
  const server = new ExamServer();
  const start = server.answer;
  let isOpen = false;
  server.answer = (call) =>
    call.path === "exam/paper/11/sitting/" && !isOpen
      ? Response.json({ status: 409, code: "NOT_OPEN_YET" }, { status: 409 })
      : start(call);
  const { screen, press, heading } = await openPage(`${EXAM}?paper=11`, server);
  await press("始める");
  await heading("試験を開けませんでした");
  await expect.element(screen.getByText(/まだ始まっていません。/)).toBeVisible();
  isOpen = true;
  await press("もう一度試す");
  await heading("問題 1 / 4");
});

test("a typed address redirects to the first incomplete step", async () => {
  const server = new ExamServer();
  const usual = server.answer;
  server.answer = (call) =>
    call.path === "exam/application/1/" ? { ...server.sheet, stage: "seat" } : usual(call);
  const { heading } = await openPage(EXAM, server);
  await heading("模試の申し込み");
  expect(server.startedAt).toBeNull();
});

describe("answering", () => {
  test("works for each kind, one question at a time; its state and the map show the progress", async () => {
    const { screen, server, press, heading, state } = await sit();
    await state("まだ答えていません");
    await screen.getByRole("radio").nth(1).click();
    await state("保存済み");
    await press("次の問題 →");
    await heading("問題 2 / 4");
    await screen.getByRole("checkbox", { name: /ア/ }).click();
    await screen.getByRole("checkbox", { name: "あとで見直す" }).click();
    await press("次の問題 →");
    await screen.getByLabelText("答え（数）").fill("1/2");
    await press(/^問題 ?4/);
    await screen.getByLabelText("答え", { exact: true }).fill("鎌倉幕府");
    await state("保存済み");
    const map = screen.getByRole("navigation", { name: "問題の一覧（4問中4問に回答）" });
    await expect.element(map.getByRole("button", { name: /^問題 ?2 ?済 ?見直し$/ })).toBeVisible();
    await expect
      .poll(() => questions.map(({ id }) => id).map((id) => server.answers.get(id)?.answer), slow)
      .toEqual([{ choices: [2] }, { choices: [1] }, { number: "1/2" }, { text: "鎌倉幕府" }]);
    await expect.poll(() => server.answers.get(102)?.is_flagged, slow).toBe(true);
  });

  test("a written answer has several lines and a count; one that is too long is not saved", async () => {
    const server = new ExamServer();
    server.questions = [...questions, writtenQuestion];
    const { screen, press, state } = await sit(server);
    await press(/^問題 ?5/);
    const field = screen.getByLabelText("答え（記述）");
    await field.fill("真を責めずに\n任せたい。");
    await state("保存済み");
    await expect.element(screen.getByText("12 / 20文字")).toBeVisible();
    expect(server.answers.get(105)?.answer).toEqual({ text: "真を責めずに\n任せたい。" });
    await field.fill("あ".repeat(22));
    await state("この答えは保存できません。短くするか、書き直してください");
    await expect
      .element(screen.getByText("22 / 20文字（2文字多いため、保存できません）"))
      .toBeVisible();
    await page.viewport(320, 640);
    expect(await faults()).toEqual([]);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  });

  test("can be undone", async () => {
    const { screen, server, press, state } = await sit();
    await screen.getByRole("radio").nth(1).click();
    await state("保存済み");
    await press("選んだ答えを取り消す");
    await expect.poll(() => server.answers.get(101)?.answer, slow).toBeNull();
    await expect.element(screen.getByRole("radio").nth(1)).not.toBeChecked();
  });

  test("works by keyboard only, from the start to handing in", async () => {
    const { screen, server, heading } = await openPage(`${EXAM}?paper=11`);
    await expect.element(screen.getByRole("button", { name: "始める" })).toBeVisible();
    await tabTo("始める");
    await userEvent.keyboard("{Enter}");
    await heading("問題 1 / 4");
    for (let step = 0; step < 20; step++) {
      await userEvent.keyboard("{Tab}");
      if (document.activeElement?.matches("input[type=radio]")) break;
    }
    await userEvent.keyboard(" {ArrowDown}");
    await expect.poll(() => server.answers.get(101)?.answer, slow).toEqual({ choices: [2] });
    await tabTo("次の問題 →");
    await userEvent.keyboard("{Enter}");
    await heading("問題 2 / 4");
    await expect.poll(() => document.activeElement?.textContent, slow).toBe("問題 2 / 4");
    await tabTo("提出前の確認へ");
    await userEvent.keyboard("{Enter}");
    await heading("数学の提出前の確認");
    await tabTo("提出する");
    await userEvent.keyboard("{Enter}");
    await tabTo("提出する");
    await userEvent.keyboard("{Enter}");
    await heading("数学を提出しました");
  });

  test("larger text and more contrast are stored on the device", async () => {
    const { screen } = await sit();
    await screen.getByText("文字の大きさと色").click();
    await screen.getByRole("radio", { name: "とても大きい" }).click();
    await screen.getByRole("checkbox", { name: "白黒をはっきりさせる" }).click();
    expect(getComputedStyle(document.documentElement).fontSize).toBe("24px");
    await page.viewport(320, 640);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    expect(await faults()).toEqual([]);
    await screen.unmount();
    expect(document.documentElement.style.fontSize).toBe("");
  });
});

describe("the time", () => {
  test("10, 5 and 1 minutes are announced once, not by colour alone", async () => {
    const { screen, server } = await sit();
    for (const minutes of [10, 5, 1]) {
      // The server's clock, which comes with every reply.
      server.ahead += server.deadline - server.now - minutes * 60_000;
      await screen.getByRole("checkbox", { name: "あとで見直す" }).click();
      await expect
        .element(screen.getByText(`残り時間は${minutes}分です。`), slow)
        .toBeInTheDocument();
    }
    expect(await faults()).toEqual([]);
  });

  test("at the deadline the saved answers are handed in without any action", async () => {
    const { screen, server, state, address, heading } = await sit();
    await screen.getByRole("radio").nth(1).click();
    await state("保存済み");
    server.minutes = 0;
    globalThis.dispatchEvent(new Event("online"));
    await heading("数学を提出しました");
    await address("/mypage/mockexam/1/exam/checkresult?paper=11");
    await expect.element(screen.getByText(/自動で提出しました/)).toBeVisible();
    const noted = Object.keys(localStorage).filter((key) => key.includes("exam-question"));
    expect(noted).toEqual([]);
  });
});

describe("handing in", () => {
  test("shows open questions, asks for confirmation, and shows the handed-in answers with their digest", async () => {
    const { screen, server, press, heading, state, address } = await sit();
    await screen.getByRole("radio").nth(1).click();
    await screen.getByRole("checkbox", { name: "あとで見直す" }).click();
    await state("保存済み");
    await screen.getByRole("link", { name: "提出前の確認へ" }).click();
    await heading("数学の提出前の確認");
    await expect.element(screen.getByText("4問中1問に答えました。")).toBeVisible();
    const open = screen.getByRole("navigation", { name: "答えていない問題" });
    await expect.poll(() => open.getByRole("link").elements().length).toBe(3);
    await expect
      .element(screen.getByRole("navigation", { name: "あとで見直す問題" }).getByRole("link"))
      .toHaveAttribute("href", `${EXAM}?paper=11&question=1`);
    expect(await faults()).toEqual([]);
    await open.getByRole("link", { name: "問題3" }).click();
    await heading("問題 3 / 4");
    await screen.getByLabelText("答え（数）").fill("0.5");
    await screen.getByRole("link", { name: "提出前の確認へ" }).click();
    await press("提出する");
    const dialog = screen.getByRole("dialog", { name: "数学を提出しますか？" });
    await dialog.getByRole("button", { name: "提出する" }).click();
    await heading("数学を提出しました");
    await address("/mypage/mockexam/1/exam/checkresult?paper=11");
    await expect.element(screen.getByLabelText("ダイジェスト")).toHaveTextContent("d1".repeat(32));
    await expect.element(screen.getByRole("row", { name: /3 0\.5 \d+:\d\d:\d\d/ })).toBeVisible();
    await expect.element(screen.getByText("画面から離れた時間：0秒")).toBeVisible();
    await expect.element(screen.getByText("ほかの端末やブラウザへの引きつぎ：0回")).toBeVisible();
    expect(server.transcript?.sealed_by).toBe("candidate");
    expect(await faults()).toEqual([]);
    await screen.getByRole("link", { name: "次へ" }).click();
    await heading("おつかれさまでした");
    await expect.element(screen.getByText("2026年12月1日(火) 12:00")).toBeVisible();
    await expect
      .element(screen.getByRole("link", { name: "次の教科「英語」へ" }))
      .toHaveAttribute("href", `${EXAM}?paper=12`);
  });

  test("without a network nothing is handed in, and the reason is shown", async () => {
    const { screen, server, press } = await sit();
    await screen.getByRole("link", { name: "提出前の確認へ" }).click();
    server.isCut = true;
    await press("提出する");
    await screen.getByRole("dialog").getByRole("button", { name: "提出する" }).click();
    await expect.element(screen.getByRole("dialog").getByRole("alert"), slow).toBeVisible();
    expect(server.transcript).toBeNull();
  });

  test("a paper that was handed in elsewhere leads to its handed-in answers", async () => {
    const { screen, server, heading } = await sit();
    server.seal("candidate");
    await screen.getByRole("radio").nth(1).click();
    await heading("数学を提出しました");
    expect(server.transcript?.answers[0]?.answer).toBeNull();
  });
});

test.each([
  ["the choice of a subject", EXAM, "教科を選ぶ"],
  ["the rules", `${EXAM}?paper=11`, "数学を始めます"],
] as const)("%s fits a narrow phone without a fault", async (_, path, title) => {
  await page.viewport(320, 640);
  const { heading } = await openPage(path);
  await heading(title);
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
  expect(await faults()).toEqual([]);
});

test("every question fits a narrow phone without a fault", async () => {
  await page.viewport(320, 640);
  const { press, heading } = await sit();
  for (const number of [1, 2, 3, 4]) {
    await press(new RegExp(`^問題 ?${number}`));
    await heading(`問題 ${number} / 4`);
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320);
    expect(await faults()).toEqual([]);
  }
});
