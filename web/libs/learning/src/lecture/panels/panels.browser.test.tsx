import type { Note } from "../../api";
import type { User } from "@konomana/session";
import { sessionStore } from "@konomana/session";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { cleanup } from "vitest-browser-react";
import { done, json, problem } from "@konomana/testing";
import {
  alert,
  answers,
  beginAnewEachTime,
  boxOf,
  calls,
  lesson,
  opened,
  PATIENT,
  pictures,
  video,
} from "../lectureTesting";

beginAnewEachTime();

const note = (text: string, at = 20): Note => ({
  id: "018f0000-0000-7000-8000-000000000001",
  lesson,
  course: lesson.course,
  at,
  text,
  created: "2026-11-21T00:00:00Z",
  modified: "2026-11-21T00:00:00Z",
});

/** Opens the lesson as this user, with the field for a new note. */
async function beginAs(id: string) {
  sessionStore.signIn({ id } as User);
  await opened();
  await userEvent.keyboard("n");
}

/** Opens the lesson and types a note. */
async function write(text: string) {
  await opened();
  await userEvent.keyboard("n");
  await page.getByRole("textbox").fill(text);
}

describe("beside the video", () => {
  test("the transcript seeks to a sentence, and follows the video", async () => {
    await opened();
    await page.getByRole("tab", { name: "文字起こし" }).click();
    const sentence = page.getByRole("button", { name: /主語は動作をする人です。/ });
    await expect.element(sentence).not.toHaveAttribute("aria-current");
    await sentence.click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThanOrEqual(25);
    await expect.element(sentence).toHaveAttribute("aria-current", "true");
  });

  test("a chapter seeks to its start", async () => {
    await opened();
    await page.getByRole("button", { name: /れんしゅう/ }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThanOrEqual(30);
    await expect
      .element(page.getByRole("button", { name: /れんしゅう/ }))
      .toHaveAttribute("aria-current", "step");
  });

  test("the hand-out is open at the page that is being discussed", async () => {
    await opened();
    await page.getByRole("tab", { name: "資料" }).click();
    const link = page.getByRole("link", { name: /この時間のページ/ });
    await expect.element(link).toHaveAttribute("href", "/api/media/t/lesson/7/textbook.pdf#page=1");
    await userEvent.keyboard("9");
    await expect.element(link).toHaveAttribute("href", "/api/media/t/lesson/7/textbook.pdf#page=2");
  });

  test("the page that is being discussed is shown; a picture that fails to load is left out", async () => {
    const pages = [...(lesson.handouts[0]?.pages ?? []), { page: 3, at: 50 }];
    const handouts = [{ kind: "textbook" as const, page_count: 3, pages }];
    answers["GET lms/lesson/7/"] = () => json({ ...lesson, handouts });
    await opened();
    await page.getByRole("tab", { name: "資料" }).click();
    const first = page.getByRole("img", { name: "テキストの1ページ" });
    await expect.element(first).toHaveAttribute("src", pictures[0]);
    await userEvent.keyboard("6");
    const second = page.getByRole("img", { name: "テキストの2ページ" });
    await expect.element(second).toHaveAttribute("src", pictures[1]);
    await expect.element(first).not.toBeInTheDocument();
    await userEvent.keyboard("9");
    await expect.element(page.getByRole("link", { name: /3ページ）を開く/ })).toBeVisible();
    await expect.element(page.getByRole("img", { name: /ページ$/ })).not.toBeInTheDocument();
  });

  test("a check shows at once, and is taken back if the server refuses", async () => {
    const answer = Promise.withResolvers<ReturnType<typeof problem>>();
    answers["PUT lms/check/7/"] = () => answer.promise;
    await opened();
    const check = page.getByRole("checkbox", { name: "学習済みにする" });
    await check.click();
    await expect.element(check).toBeChecked();
    answer.resolve(problem(409, "MARK_LIMIT"));
    await expect.element(check).not.toBeChecked();
  });

  test("a heartbeat that completes the lesson ticks its check", async () => {
    answers["POST lms/lesson/7/beat/"] = () =>
      json({ position: 21, furthest: 21, covered: 55, is_check: true, is_done: true });
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await userEvent.keyboard("k");
    await expect.element(page.getByRole("checkbox", { name: "学習済みにする" })).toBeChecked();
  });
});

describe("notes", () => {
  test("a note is saved at the second at which it was begun", async () => {
    answers["PUT lms/note/{id}/"] = ({ body: { at, text } }) => note(text, at);
    await write("主語は人");
    await expect.element(page.getByLabelText("0:20にメモ")).toHaveValue("主語は人");
    video().currentTime = 40;
    await page.getByRole("button", { name: "ノートを保存" }).click();
    const list = page.getByRole("list", { name: "このレッスンのノート" });
    await expect.element(list).toMatchTextContent(/主語は人/);
    const sent = calls.find(({ call }) => call.startsWith("PUT lms/note/"));
    expect(sent?.body).toEqual({ lesson: 7, at: 20, text: "主語は人" });
    await expect.element(page.getByLabelText("ノートを書く")).toHaveValue("");
  });

  test("a note that can't be saved stays in the field and keeps its id", async () => {
    answers["PUT lms/note/{id}/"] = () => problem(502, "UPSTREAM_UNAVAILABLE");
    await write("主語は人");
    const save = page.getByRole("button", { name: "ノートを保存" });
    await save.click();
    await expect.element(alert()).toMatchTextContent(/ノートを保存できませんでした/);
    await expect.element(page.getByRole("textbox")).toHaveValue("主語は人");
    answers["PUT lms/note/{id}/"] = ({ body: { at, text } }) => note(text, at);
    await save.click();
    await expect
      .element(page.getByRole("list", { name: "このレッスンのノート" }))
      .toMatchTextContent(/主語は人/);
    const names = calls.filter(({ call }) => call.startsWith("PUT")).map(({ call }) => call);
    expect(new Set(names).size).toBe(1);
  });

  test("an unsaved note survives a reload, but only for the same user", async () => {
    const field = page.getByRole("textbox");
    await beginAs("anna");
    await field.fill("書きかけのノート");
    await cleanup();
    await beginAs("ben");
    await expect.element(field).toHaveValue("");
    await cleanup();
    await beginAs("anna");
    await expect.element(field).toHaveValue("書きかけのノート");
    sessionStore.reset();
  });

  test("Enter that ends a conversion saves nothing, even with Ctrl", async () => {
    await write("しゅご");
    const field = page.getByRole("textbox").element();
    const enter = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent("keydown", { ...enter, isComposing: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { ...enter, keyCode: 229 }));
    expect(calls.filter(({ call }) => call.startsWith("PUT"))).toEqual([]);
    field.dispatchEvent(new KeyboardEvent("keydown", enter));
    await expect.poll(() => calls.filter(({ call }) => call.startsWith("PUT")).length).toBe(1);
  });

  test("a note can be edited, leads to its second, and can be deleted", async () => {
    answers["GET lms/note/"] = () =>
      json({ count: 1, next: null, previous: null, results: [note("主語", 33)] });
    answers["PUT lms/note/{id}/"] = ({ body: { at, text } }) => note(text, at);
    answers["DELETE lms/note/{id}/"] = () => done();
    await opened();
    await page.getByRole("tab", { name: "ノート" }).click();
    await page.getByRole("button", { name: "0:33のノートを書き直す" }).click();
    await page.getByLabelText("0:33のノートを書き直す").fill("主語と動詞");
    await page.getByRole("button", { name: "保存" }).click();
    await expect.element(page.getByText("主語と動詞")).toBeVisible();
    await page.getByRole("button", { name: "0:33から見る" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThanOrEqual(33);
    await page.getByRole("button", { name: "0:33のノートを削除" }).click();
    await page.getByRole("button", { name: "削除する" }).click();
    await expect.element(page.getByText("主語と動詞")).not.toBeInTheDocument();
  });
});

describe("on a phone in portrait", () => {
  beforeEach(() => page.viewport(360, 740));

  test("the tabs are directly below the title", async () => {
    await opened();
    const title = page.getByRole("heading", { level: 1 });
    const about = page.getByText(lesson.summary);
    const tabs = page.getByRole("tablist", { name: "レッスンの内容" });
    expect(boxOf(title).bottom).toBeLessThan(boxOf(tabs).bottom);
    expect(boxOf(tabs).bottom).toBeLessThan(boxOf(about).bottom);
    await page.viewport(1280, 900);
    await expect.poll(() => boxOf(about).bottom).toBeLessThan(boxOf(tabs).bottom);
  });

  test("an on-screen keyboard shrinks the video, and the note stays visible", async () => {
    const rest = Object.assign(new EventTarget(), { height: 740, scale: 1, offsetTop: 0 });
    vi.stubGlobal("visualViewport", rest);
    await write("主語は人");
    const picture = page.getByLabelText(lesson.name);
    expect(boxOf(picture).height).toBeGreaterThan(190);
    rest.height = 420;
    rest.dispatchEvent(new Event("resize"));
    await expect.poll(() => boxOf(picture).height).toBeLessThan(120);
    const stage = page.getByRole("region", { name: "動画" });
    const field = page.getByRole("textbox");
    await expect.poll(() => boxOf(field).bottom).toBeLessThanOrEqual(rest.height);
    expect(boxOf(field).top).toBeGreaterThanOrEqual(boxOf(stage).bottom);
    await expect.element(page.getByRole("button", { name: "再生" })).toBeInViewport();
  });
});
