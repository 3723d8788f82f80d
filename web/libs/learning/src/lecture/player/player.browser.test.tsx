import type { Heartbeat } from "../../api";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { done, json, problem } from "@konomana/testing";
import {
  answers,
  heartbeats,
  beginAnewEachTime,
  bodies,
  calls,
  endings,
  lesson,
  open,
  opened,
  PATIENT,
  status,
  video,
  caption,
  watch,
} from "../lectureTesting";
import { forgetHeartbeats } from "../watching/useHeartbeats";
import { reloadPreferences, prefer } from "./preferences";

beginAnewEachTime();

/** Plays the last second of a lesson. */
async function watchTheEnd() {
  await opened("/lecture/7?at=59");
  await page.getByRole("button", { name: "再生" }).click();
  const offer = page.getByRole("group", { name: "レッスンのおわり" });
  await expect.element(offer).toBeVisible();
  return offer;
}

describe("a lesson starts", () => {
  test("3 seconds before its last position", async () => {
    await opened();
    expect(video().currentTime).toBe(20);
  });

  test("at its beginning if it was left in the last 10 seconds", async () => {
    answers["GET lms/lesson/7/"] = () => ({ ...lesson, watch: { ...watch, position: 51 } });
    await opened();
    expect(video().currentTime).toBe(0);
  });

  test("at the second in the address", async () => {
    await opened("/lecture/7?at=42");
    expect(video().currentTime).toBe(42);
  });

  test("at the position that this browser could not send", async () => {
    answers["POST lms/lesson/7/beat/"] = () => problem(502, "UPSTREAM_UNAVAILABLE");
    const { screen } = await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(20.5);
    video().currentTime = 40;
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(40.2);
    await userEvent.keyboard("k");
    await expect.poll(() => heartbeats().length).toBeGreaterThan(0);
    await screen.unmount();

    forgetHeartbeats();
    answers["POST lms/lesson/7/beat/"] = () => json({ ...watch, is_check: false, is_done: false });
    await opened();
    expect(video().currentTime).toBe(38);
    await expect
      .poll(() => Object.keys(localStorage).filter((key) => key.startsWith("konomana.heartbeats")))
      .toEqual([]);
    const { watched, position } = heartbeats().at(-1) as Heartbeat;
    expect(position).toBe(41);
    expect(watched.flat()).not.toContain(38);
  });
});

describe("playing", () => {
  test("is announced to screen readers, and sent to the server at a pause", async () => {
    await opened();
    await expect.element(status()).toBeEmptyDOMElement();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.element(status()).toMatchTextContent(/再生中/);
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(22);
    await page.getByRole("button", { name: "一時停止" }).click();
    await expect.element(status()).toMatchTextContent(/一時停止/);
    await expect.poll(() => heartbeats().length).toBe(1);
    expect(heartbeats()[0]).toMatchObject({ watched: [[20, 22]], position: 23 });
    expect(heartbeats()[0]?.stream).toBe("018f0000-0000-7000-8000-000000000077");
  });

  test("starts automatically after an earlier press in the document", async () => {
    vi.spyOn(navigator.userActivation, "hasBeenActive", "get").mockReturnValue(true);
    await open();
    await expect.element(page.getByRole("button", { name: "一時停止" })).toBeVisible();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(20);
  });

  test("does not count a seek to the end as watched", async () => {
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().paused).toBe(false);
    video().currentTime = 59;
    await expect.poll(() => video().ended, PATIENT).toBe(true);
    await expect.poll(() => heartbeats().length).toBeGreaterThan(0);
    const watched = heartbeats().flatMap((heartbeat) => heartbeat.watched);
    expect(watched.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThanOrEqual(3);
  });

  test("is sent to the server when the page is left", async () => {
    const { router } = await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await router.navigate("/mypage");
    await expect.poll(() => heartbeats().length).toBe(1);
  });

  test("is sent every 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    vi.advanceTimersByTime(14_000);
    expect(heartbeats()).toEqual([]);
    vi.advanceTimersByTime(1000);
    await expect.poll(() => heartbeats()).toMatchObject([{ watched: [[20, 21]] }]);
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(22.1);
    vi.advanceTimersByTime(15_000);
    await expect.poll(() => heartbeats().at(-1)).toMatchObject({ watched: [[21, 22]] });
  });

  test("is sent even while the page is being closed", async () => {
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    globalThis.dispatchEvent(new PageTransitionEvent("pagehide"));
    await expect.poll(() => heartbeats()).toMatchObject([{ watched: [[20, 21]] }]);
    expect(calls.find(({ call }) => call.endsWith("beat/"))?.keepalive).toBe(true);
  });

  test("ends the stream with the page, and starts one when the page is restored", async () => {
    answers["DELETE lms/stream/{stream}/"] = () => done();
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    expect(endings()).toEqual([]);
    globalThis.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    const call = "DELETE lms/stream/018f0000-0000-7000-8000-000000000077/";
    await expect.poll(endings).toEqual([{ call, body: undefined, keepalive: true }]);
    // The watched time counts, whichever request reaches the server first.
    expect(heartbeats()).toMatchObject([{ watched: [[20, 21]], stream: null }]);

    expect(bodies("POST lms/lesson/7/stream/")).toHaveLength(1);
    globalThis.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    await expect.poll(() => bodies("POST lms/lesson/7/stream/")).toHaveLength(2);
  });

  test("keeps its speed for the next lesson", async () => {
    const { router } = await opened();
    await page.getByLabelText("再生速度").selectOptions("1.5倍");
    expect(video().playbackRate).toBe(1.5);
    await expect.element(status()).toMatchTextContent(/再生速度1.5倍/);
    await router.navigate("/lecture/8");
    await expect
      .element(page.getByRole("heading", { name: "動詞をさがす", level: 1 }))
      .toBeVisible();
    await expect.poll(() => video()?.readyState ?? 0, PATIENT).toBeGreaterThanOrEqual(1);
    expect(video().playbackRate).toBe(1.5);
    expect(video().currentTime).toBe(0);
  });
});

describe("shortcuts", () => {
  test("control the video wherever the focus is", async () => {
    await opened();
    await userEvent.keyboard("l");
    await expect.poll(() => video().currentTime, PATIENT).toBe(30);
    await userEvent.keyboard("{ArrowLeft}");
    await expect.poll(() => video().currentTime, PATIENT).toBe(25);
    await userEvent.keyboard("5");
    await expect.poll(() => video().currentTime, PATIENT).toBe(30);
    await userEvent.keyboard("..,");
    expect(video().playbackRate).toBe(1.25);
    await userEvent.keyboard("m");
    expect(video().muted).toBe(false);
    await userEvent.keyboard("c");
    await expect.element(status()).toMatchTextContent(/字幕を非表示/);
    await expect.element(caption("主語は動作をする人です。")).not.toBeInTheDocument();
  });

  test("for a part of the video do nothing before the video is loaded", async () => {
    const uncaught = vi.fn<(event: ErrorEvent) => void>();
    addEventListener("error", uncaught);
    answers["POST lms/lesson/7/stream/"] = () => new Promise<never>(() => {});
    await open();
    await userEvent.keyboard("5");
    expect(video().currentTime).toBe(0);
    expect(uncaught).not.toHaveBeenCalled();
    removeEventListener("error", uncaught);
  });

  test("type text in fields, and do not control the video there", async () => {
    await opened();
    await userEvent.keyboard("n");
    const field = page.getByLabelText("ノートを書く");
    await expect.element(field).toHaveFocus();
    await expect.element(field).toHaveValue("");
    await userEvent.keyboard("k5m. l");
    await expect.element(page.getByRole("textbox")).toHaveValue("k5m. l");
    expect(video().paused).toBe(true);
    expect(video().currentTime).toBe(20);
    expect(video().muted).toBe(true);
  });

  test("leave space to the focused button", async () => {
    await opened();
    page.getByRole("tab", { name: "ノート" }).element().focus();
    await userEvent.keyboard(" ");
    expect(video().paused).toBe(true);
    await expect.element(page.getByLabelText("ノートを書く")).toBeVisible();
  });

  test("are explained", async () => {
    await opened();
    await userEvent.keyboard("?");
    const help = page.getByRole("dialog", { name: "キーボードでの操作" });
    await expect.element(help).toMatchTextContent(/10秒もどる・進む/);
    await userEvent.keyboard("l");
    expect(video().currentTime).toBe(20);
    await help.getByRole("button", { name: "閉じる" }).click();
    await expect.element(help).not.toBeInTheDocument();
  });

  test("with letters, digits or signs can be switched off permanently; the others stay", async () => {
    const { screen } = await opened();
    await userEvent.keyboard("?");
    const help = page.getByRole("dialog", { name: "キーボードでの操作" });
    await help.getByRole("checkbox").click();
    await help.getByRole("button", { name: "閉じる" }).click();
    await screen.unmount();

    reloadPreferences();
    await opened();
    await userEvent.keyboard("l5mn?");
    await userEvent.keyboard("{ArrowRight}");
    await expect.poll(() => video().currentTime, PATIENT).toBe(25);
    expect(video().muted).toBe(true);
    await expect.element(help).not.toBeInTheDocument();

    await page.getByRole("button", { name: "再生の設定" }).click();
    await page.getByRole("button", { name: "キーボードでの操作" }).click();
    await help.getByRole("checkbox").click();
    await help.getByRole("button", { name: "閉じる" }).click();
    await userEvent.keyboard("l");
    await expect.poll(() => video().currentTime, PATIENT).toBe(35);
  });
});

describe("at the end", () => {
  test("the next lesson is offered, and does not start", async () => {
    const offer = await watchTheEnd();
    await expect.element(offer).toMatchTextContent(/つぎは「動詞をさがす」/);
    await expect
      .element(offer.getByRole("link", { name: "つぎのレッスンへ" }))
      .toHaveAttribute("href", "/lecture/8");
  });

  test("the next lesson starts automatically if preferred, unless it is stopped", async () => {
    prefer({ autoplay: true });
    const offer = await watchTheEnd();
    await expect.element(offer).toMatchTextContent(/（5秒）/);
    await offer.getByRole("button", { name: "とめる" }).click();
    await expect.element(offer).not.toMatchTextContent(/秒）/);
  });
});
