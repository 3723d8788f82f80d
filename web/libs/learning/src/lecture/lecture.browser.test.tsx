import { lessonQuery } from "../api";
import axe from "axe-core";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { json, problem } from "@konomana/testing";
import {
  alert,
  answers,
  heartbeats,
  beginAnewEachTime,
  bodies,
  lesson,
  open,
  opened,
  PATIENT,
  playlist,
  stream,
  video,
  watch,
} from "./lectureTesting";
import { startStreamEarly } from "./watching/earlyStream";

beginAnewEachTime();

describe("a stream that starts with the navigation", () => {
  test("is used by the player, and starts once", async () => {
    await startStreamEarly(7);
    await opened();
    expect(bodies("POST lms/lesson/7/stream/")).toHaveLength(1);
  });

  test("does not end the one of an open player", async () => {
    await opened();
    await startStreamEarly(8);
    expect(bodies("POST lms/lesson/8/stream/")).toEqual([]);
  });

  test("is not used by the player of another lesson", async () => {
    await startStreamEarly(8);
    await opened();
    expect(bodies("POST lms/lesson/7/stream/")).toHaveLength(1);
  });

  test("says in the player why it failed", async () => {
    answers["POST lms/lesson/7/stream/"] = () => problem(409, "TOO_MANY_STREAMS");
    await startStreamEarly(7);
    await open();
    await expect.element(alert()).toMatchTextContent(/ほかの2か所で再生中です/);
    expect(bodies("POST lms/lesson/7/stream/")).toHaveLength(1);
  });
});

describe("obstacles to playback", () => {
  test("with two streams elsewhere, this one takes over on request", async () => {
    answers["POST lms/lesson/7/stream/"] = ({ body }) =>
      body.take_over ? stream() : problem(409, "TOO_MANY_STREAMS");
    await open();
    await expect.element(alert()).toMatchTextContent(/ほかの2か所で再生中です/);
    await page.getByRole("button", { name: "こちらで見る" }).click();
    await expect.element(alert()).not.toBeInTheDocument();
    const [first, second] = bodies("POST lms/lesson/7/stream/") as { device: string }[];
    expect(first?.device).toMatch(/^[\da-f-]{36}$/);
    expect(second).toEqual({ device: first?.device, take_over: true });
  });

  test("after another device takes over, the video stops and the watched time counts", async () => {
    answers["POST lms/lesson/7/beat/"] = ({ body }) =>
      body.stream === null
        ? json({ ...watch, is_check: false, is_done: false })
        : problem(409, "STREAM_ENDED");
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await userEvent.keyboard("k");
    await expect.element(alert()).toMatchTextContent(/ほかの場所で再生が始まりました/);
    await expect.poll(() => heartbeats().at(-1)?.stream).toBeNull();
    expect(heartbeats().at(-1)?.watched).toEqual([[20, 21]]);
  });

  test("expired links are renewed, and the video continues at its position", async () => {
    let asked = 0;
    answers["POST lms/lesson/7/stream/"] = () => stream(asked++ === 0 ? "/nowhere.m3u8" : playlist);
    await opened();
    expect(asked).toBe(2);
    expect(video().currentTime).toBe(20);
    await expect.element(alert()).not.toBeInTheDocument();
  });

  test("a video that fails to load can be retried", async () => {
    let there = false;
    answers["POST lms/lesson/7/stream/"] = () => stream(there ? playlist : "/nowhere.m3u8");
    await open();
    await expect.element(alert()).toMatchTextContent(/動画を読み込めませんでした/);
    there = true;
    await page.getByRole("button", { name: "もう一度試す" }).click();
    await expect.poll(() => video().readyState, PATIENT).toBeGreaterThanOrEqual(3);
    await expect.element(alert()).not.toBeInTheDocument();
  });

  test("an expired course can be bought again, and no stream starts", async () => {
    answers["GET lms/lesson/7/"] = () => json({ ...lesson, is_expired: true });
    await open();
    await expect.element(alert()).toMatchTextContent(/この講座は期限切れです/);
    await expect
      .element(page.getByRole("link", { name: "講座の案内と購入" }))
      .toHaveAttribute("href", "/course/101");
    expect(bodies("POST lms/lesson/7/stream/")).toEqual([]);
  });

  test("data that was fresh when the page opened is shown even after it becomes stale", async () => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await opened("/lecture/7", (queries) => queries.setQueryData(lessonQuery(7).queryKey, lesson));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(bodies("GET lms/lesson/7/")).toEqual([]);
    await expect.element(page.getByRole("region", { name: "動画" })).toBeVisible();
  });

  test("a lesson that is not owned is not found", async () => {
    await open("/lecture/9");
    await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
  });
});

test.each([320, 1280])(
  "at %d px there is no violation, no overflow and no target that is too small",
  async (width) => {
    await page.viewport(width, 800);
    const { screen } = await opened();
    await page.getByRole("button", { name: "再生の設定" }).click();
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width);
    const { violations } = await axe.run(screen.container);
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
    const buttons = [...screen.container.querySelectorAll("button, select, a, input[type=range]")];
    const small = buttons.filter((one) => {
      const { width: w, height: h } = one.getBoundingClientRect();
      return w > 0 && (h < 43.5 || w < 43.5);
    });
    expect(small.map(({ outerHTML }) => outerHTML)).toEqual([]);
  },
);

test("on a phone the video stays visible, with the lessons below it", async () => {
  await page.viewport(360, 740);
  await opened();
  await page.getByRole("tab", { name: "レッスン" }).click();
  const open8 = page.getByRole("navigation").getByRole("link", { name: /動詞をさがす/ });
  await expect.element(open8).toBeVisible();
  globalThis.scrollTo(0, 400);
  await expect
    .poll(() => page.getByRole("region", { name: "動画" }).element().getBoundingClientRect().top)
    .toBe(0);
});
