import { connectApi, type Beat, type LectureLesson, type Note } from "@konomana/api";
import { closeMessage, UiProvider } from "@konomana/ui";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import axe from "axe-core";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { page, userEvent } from "vitest/browser";
import { render } from "vitest-browser-react";
import { Component as LectureScreen } from "./LectureScreen";
import { forgetPreferences, prefer } from "./player/preferences";
import { forgetBeats } from "./watching/useBeats";

const DURATION = 60;
/** A video takes the time that it takes. */
const PATIENT = { timeout: 10_000 };

const lesson: LectureLesson = {
  id: 7,
  name: "主語をさがす",
  summary: "主語を見つけられるようになります。",
  duration: DURATION,
  course: { id: 101, name: "中1英語" },
  chapter: { id: 1, name: "be動詞の文" },
  unit: { id: 1, name: "紹介する" },
  inventory_id: 3,
  product_id: 9,
  number: 1,
  lesson_count: 2,
  previous: null,
  next: { id: 8, name: "動詞をさがす", duration: 60 },
  is_expired: false,
  expire_at: null,
  is_favorite: false,
  is_check: false,
  watch: { position: 23, furthest: 23, covered: 20, times: 1, last_seen: "2026-11-20T00:00:00Z" },
  marks: [
    { at: 0, name: "はじめに" },
    { at: 30, name: "れんしゅう" },
  ],
  handouts: [
    {
      kind: "textbook",
      page_count: 3,
      pages: [
        { page: 1, at: 0 },
        { page: 2, at: 30 },
      ],
    },
  ],
  has_video: true,
  question_count: 0,
};

const other = { ...lesson, id: 8, name: "動詞をさがす", number: 2, next: null, watch: null };

/** Silence of a minute: enough of a film for a browser. */
function film(): string {
  const rate = 8000;
  const size = rate * DURATION;
  const bytes = new Uint8Array(44 + size).fill(128);
  const view = new DataView(bytes.buffer);
  const spell = (at: number, text: string) => bytes.set(new TextEncoder().encode(text), at);
  spell(0, "RIFF");
  view.setUint32(4, 36 + size, true);
  spell(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate, true);
  view.setUint16(32, 1, true);
  view.setUint16(34, 8, true);
  spell(36, "data");
  view.setUint32(40, size, true);
  return URL.createObjectURL(new Blob([bytes], { type: "audio/wav" }));
}

const captions = URL.createObjectURL(
  new Blob(
    [
      "WEBVTT\n\n00:00.000 --> 00:25.000\nこんにちは。\n\n",
      "00:25.000 --> 00:40.000\n主語は動作をする人です。\n\n",
      "00:40.000 --> 01:00.000\nまた会いましょう。\n",
    ],
    { type: "text/vtt" },
  ),
);
const playlist = film();

/** A page as a dot. */
const dot = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";
const pictures = [`${dot}#1`, `${dot}#2`, "/nowhere.png"];

const stream = (where = playlist) =>
  json(
    {
      stream: "018f0000-0000-7000-8000-000000000077",
      playlist: where,
      captions,
      poster: "",
      handouts: [{ kind: "textbook", url: "/api/media/t/lesson/7/textbook.pdf", pictures }],
      expires_at: new Date(Date.now() + 7_200_000).toISOString(),
    },
    201,
  );

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } });

const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ status, code }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });

const chapters = [
  {
    id: 1,
    name: "be動詞の文",
    units: [{ id: 1, name: "紹介する", lessons: [lesson, other] }],
  },
];

type Answer = (body: unknown) => Response | Promise<Response>;
let answers: Record<string, Answer>;
let calls: { call: string; body: unknown; keepalive: boolean }[];

beforeEach(async () => {
  // The film is no list of parts: the browser is to play it by itself.
  vi.stubGlobal("WebKitPlaybackTargetAvailabilityEvent", Event);
  localStorage.clear();
  sessionStorage.clear();
  forgetPreferences();
  forgetBeats();
  calls = [];
  answers = {
    "GET lesson/7/": () => json(lesson),
    "GET lesson/8/": () => json(other),
    "POST lesson/7/stream/": () => stream(),
    "POST lesson/8/stream/": () => stream(),
    "POST lesson/7/beat/": (body) => {
      const { position } = body as Beat;
      return json({ position, furthest: position, covered: 25, is_check: false, is_done: false });
    },
    "GET inventory/3/": () => json({ course: { course_chapter: chapters } }),
    "GET check/": () => json({ count: 0, next: null, previous: null, results: [] }),
    "GET note/": () => json({ count: 0, next: null, previous: null, results: [] }),
  };
  connectApi({
    session: { token: async () => "t", renew: async () => "t", lost: () => {} },
    cookies: () => "XSRF-TOKEN=n.m",
  });
  const real = globalThis.fetch;
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    if (!String(url).includes("/api/lms/")) return real(url, init);
    const { method = "GET", body } = init;
    const call = `${method} ${new URL(url).pathname.replace("/api/lms/", "")}`;
    const brought: unknown = typeof body === "string" ? JSON.parse(body) : undefined;
    calls.push({ call, body: brought, keepalive: init.keepalive ?? false });
    const answer = answers[call] ?? answers[call.replace(/[\da-f-]{36}/, "*")];
    return answer?.(brought) ?? problem(404, "NOT_FOUND");
  });
  // Nobody has pressed anything in this document yet, as far as the player is concerned.
  vi.spyOn(navigator.userActivation, "hasBeenActive", "get").mockReturnValue(false);
  await page.viewport(1280, 900);
});

afterEach(() => {
  closeMessage();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function open(path = "/lecture/7") {
  const router = createMemoryRouter(
    [
      { path: "/lecture/:id", Component: LectureScreen },
      { path: "*", element: <h1>ほかのページ</h1> },
    ],
    { initialEntries: [path] },
  );
  const screen = await render(
    <QueryClientProvider
      client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}
    >
      <UiProvider>
        <main style={{ padding: "0 var(--kn-gutter)" }}>
          <RouterProvider router={router} />
        </main>
      </UiProvider>
    </QueryClientProvider>,
  );
  return { screen, router };
}

const video = () => document.querySelector("video") as HTMLVideoElement;
const bodies = (call: string) => calls.filter((one) => one.call === call).map(({ body }) => body);
const beats = () => bodies("POST lesson/7/beat/") as Beat[];
const endings = () => calls.filter(({ call }) => call.startsWith("DELETE stream/"));
const status = () => page.getByRole("main").getByRole("status");
const alert = () => page.getByRole("main").getByRole("alert");

/** Opens the lesson and waits until its video is there, at its place. */
async function opened(path?: string) {
  const all = await open(path);
  await expect.poll(() => video()?.readyState ?? 0, PATIENT).toBeGreaterThanOrEqual(3);
  await expect.poll(() => video().seeking, PATIENT).toBe(false);
  video().muted = true;
  return all;
}

const note = (text: string, at = 20): Note => ({
  id: "018f0000-0000-7000-8000-000000000001",
  lesson,
  course: lesson.course,
  at,
  text,
  created: "2026-11-21T00:00:00Z",
  modified: "2026-11-21T00:00:00Z",
});

/** Begins a note in a lesson that has just been opened. */
async function write(text: string) {
  await opened();
  await userEvent.keyboard("n");
  await page.getByRole("textbox").fill(text);
}

/** Watches the last second of a lesson. */
async function watchTheEnd() {
  await opened("/lecture/7?at=59");
  await page.getByRole("button", { name: "再生" }).click();
  const offer = page.getByRole("group", { name: "レッスンのおわり" });
  await expect.element(offer).toBeVisible();
  return offer;
}

describe("a lesson goes on", () => {
  test("3 seconds before the place where it was left", async () => {
    await opened();
    expect(video().currentTime).toBe(20);
  });

  test("at its beginning where it was left in the last 10 seconds", async () => {
    const watch = { ...lesson.watch, position: 51 };
    answers["GET lesson/7/"] = () => json({ ...lesson, watch });
    await opened();
    expect(video().currentTime).toBe(0);
  });

  test("at the second that the address asks for", async () => {
    await opened("/lecture/7?at=42");
    expect(video().currentTime).toBe(42);
  });

  test("where this browser left it, though the server could not be told", async () => {
    answers["POST lesson/7/beat/"] = () => problem(502, "UPSTREAM_UNAVAILABLE");
    const { screen } = await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(20.5);
    video().currentTime = 40;
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(40.2);
    await userEvent.keyboard("k");
    await expect.poll(() => beats().length).toBeGreaterThan(0);
    await screen.unmount();

    forgetBeats();
    answers["POST lesson/7/beat/"] = () =>
      json({ ...lesson.watch, is_check: false, is_done: false });
    await opened();
    expect(video().currentTime).toBe(38);
    await expect
      .poll(() => Object.keys(localStorage).filter((key) => key.startsWith("konomana.beats")))
      .toEqual([]);
    const { watched, position } = beats().at(-1) as Beat;
    expect(position).toBe(41);
    expect(watched.flat()).not.toContain(38);
  });
});

describe("playing", () => {
  test("is told to those who hear it, and to the server at the pause", async () => {
    await opened();
    await expect.element(status()).toBeEmptyDOMElement();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.element(status()).toMatchTextContent(/再生中/);
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(22);
    await page.getByRole("button", { name: "一時停止" }).click();
    await expect.element(status()).toMatchTextContent(/一時停止/);
    await expect.poll(() => beats().length).toBe(1);
    expect(beats()[0]).toMatchObject({ watched: [[20, 22]], position: 23 });
    expect(beats()[0]?.stream).toBe("018f0000-0000-7000-8000-000000000077");
  });

  test("begins by itself for somebody who has just pressed something", async () => {
    vi.spyOn(navigator.userActivation, "hasBeenActive", "get").mockReturnValue(true);
    await open();
    await expect.element(page.getByRole("button", { name: "一時停止" })).toBeVisible();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(20);
  });

  test("leaping to the end watches nothing", async () => {
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().paused).toBe(false);
    video().currentTime = 59;
    await expect.poll(() => video().ended, PATIENT).toBe(true);
    await expect.poll(() => beats().length).toBeGreaterThan(0);
    const watched = beats().flatMap((beat) => beat.watched);
    expect(watched.reduce((sum, [from, to]) => sum + to - from, 0)).toBeLessThanOrEqual(3);
  });

  test("tells the server when the page is left", async () => {
    const { router } = await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await router.navigate("/mypage");
    await expect.poll(() => beats().length).toBe(1);
  });

  test("is told every 15 seconds", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    vi.advanceTimersByTime(14_000);
    expect(beats()).toEqual([]);
    vi.advanceTimersByTime(1000);
    await expect.poll(() => beats()).toMatchObject([{ watched: [[20, 21]] }]);
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(22.1);
    vi.advanceTimersByTime(15_000);
    await expect.poll(() => beats().at(-1)).toMatchObject({ watched: [[21, 22]] });
  });

  test("goes out even from a page that is being closed", async () => {
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    globalThis.dispatchEvent(new PageTransitionEvent("pagehide"));
    await expect.poll(() => beats()).toMatchObject([{ watched: [[20, 21]] }]);
    expect(calls.find(({ call }) => call.endsWith("beat/"))?.keepalive).toBe(true);
  });

  test("ends its stream with the page, and begins one when the browser brings the page back", async () => {
    answers["DELETE stream/*/"] = () => new Response(null, { status: 204 });
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    expect(endings()).toEqual([]);
    globalThis.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    const call = "DELETE stream/018f0000-0000-7000-8000-000000000077/";
    await expect.poll(endings).toEqual([{ call, body: undefined, keepalive: true }]);
    // What was watched counts, whichever of the two the server hears first.
    expect(beats()).toMatchObject([{ watched: [[20, 21]], stream: null }]);

    expect(bodies("POST lesson/7/stream/")).toHaveLength(1);
    globalThis.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    await expect.poll(() => bodies("POST lesson/7/stream/")).toHaveLength(2);
  });

  test("a speed is kept for the next lesson", async () => {
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

describe("keys", () => {
  test("move the video wherever the focus is", async () => {
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
    expect(video().textTracks[0]?.mode).toBe("hidden");
  });

  test("of a part of the video move nothing before the video is there", async () => {
    const uncaught = vi.fn<(event: ErrorEvent) => void>();
    addEventListener("error", uncaught);
    answers["POST lesson/7/stream/"] = () => new Promise<Response>(() => {});
    await open();
    await userEvent.keyboard("5");
    expect(video().currentTime).toBe(0);
    expect(uncaught).not.toHaveBeenCalled();
    removeEventListener("error", uncaught);
  });

  test("write in fields, and move nothing there", async () => {
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

  test("space presses the button that has the focus", async () => {
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

  test("that are letters, digits or signs can be switched off for good; the others stay", async () => {
    const { screen } = await opened();
    await userEvent.keyboard("?");
    const help = page.getByRole("dialog", { name: "キーボードでの操作" });
    await help.getByRole("checkbox").click();
    await help.getByRole("button", { name: "閉じる" }).click();
    await screen.unmount();

    forgetPreferences();
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

describe("what stands in the way", () => {
  test("two streams elsewhere: this one takes over when asked to", async () => {
    answers["POST lesson/7/stream/"] = (body) =>
      (body as { take_over: boolean }).take_over ? stream() : problem(409, "TOO_MANY_STREAMS");
    await open();
    await expect.element(alert()).toMatchTextContent(/ほかの2か所で再生中です/);
    await page.getByRole("button", { name: "こちらで見る" }).click();
    await expect.element(alert()).not.toBeInTheDocument();
    const [first, second] = bodies("POST lesson/7/stream/") as { device: string }[];
    expect(first?.device).toMatch(/^[\da-f-]{36}$/);
    expect(second).toEqual({ device: first?.device, take_over: true });
  });

  test("another device has taken over: the video stands still, and what was watched counts", async () => {
    answers["POST lesson/7/beat/"] = (body) =>
      (body as Beat).stream === null
        ? json({ ...lesson.watch, is_check: false, is_done: false })
        : problem(409, "STREAM_ENDED");
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await userEvent.keyboard("k");
    await expect.element(alert()).toMatchTextContent(/ほかの場所で再生が始まりました/);
    await expect.poll(() => beats().at(-1)?.stream).toBeNull();
    expect(beats().at(-1)?.watched).toEqual([[20, 21]]);
  });

  test("links that have ended are asked for anew, and the video is where it was", async () => {
    let asked = 0;
    answers["POST lesson/7/stream/"] = () => stream(asked++ === 0 ? "/nowhere.m3u8" : playlist);
    await opened();
    expect(asked).toBe(2);
    expect(video().currentTime).toBe(20);
    await expect.element(alert()).not.toBeInTheDocument();
  });

  test("a video that can't be had at all is tried again when asked to", async () => {
    let there = false;
    answers["POST lesson/7/stream/"] = () => stream(there ? playlist : "/nowhere.m3u8");
    await open();
    await expect.element(alert()).toMatchTextContent(/動画を読み込めませんでした/);
    there = true;
    await page.getByRole("button", { name: "もう一度試す" }).click();
    await expect.poll(() => video().readyState, PATIENT).toBeGreaterThanOrEqual(3);
    await expect.element(alert()).not.toBeInTheDocument();
  });

  test("a course that has ended can be bought again, and no stream begins", async () => {
    answers["GET lesson/7/"] = () => json({ ...lesson, is_expired: true });
    await open();
    await expect.element(alert()).toMatchTextContent(/この講座は期限切れです/);
    await expect
      .element(page.getByRole("link", { name: "講座の案内と購入" }))
      .toHaveAttribute("href", "/course/101");
    expect(bodies("POST lesson/7/stream/")).toEqual([]);
  });

  test("a lesson that is not owned is not found", async () => {
    await open("/lecture/9");
    await expect.element(page.getByRole("heading", { name: "not found" })).toBeVisible();
  });
});

describe("beside the video", () => {
  test("the transcript leads to where a sentence is said, and follows", async () => {
    await opened();
    await page.getByRole("tab", { name: "文字起こし" }).click();
    const sentence = page.getByRole("button", { name: /主語は動作をする人です。/ });
    await expect.element(sentence).not.toHaveAttribute("aria-current");
    await sentence.click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThanOrEqual(25);
    await expect.element(sentence).toHaveAttribute("aria-current", "true");
  });

  test("a chapter leads to where it begins", async () => {
    await opened();
    await page.getByRole("button", { name: /れんしゅう/ }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThanOrEqual(30);
    await expect
      .element(page.getByRole("button", { name: /れんしゅう/ }))
      .toHaveAttribute("aria-current", "step");
  });

  test("the hand-out is open at the page that is spoken about", async () => {
    await opened();
    await page.getByRole("tab", { name: "資料" }).click();
    const link = page.getByRole("link", { name: /この時間のページ/ });
    await expect.element(link).toHaveAttribute("href", "/api/media/t/lesson/7/textbook.pdf#page=1");
    await userEvent.keyboard("9");
    await expect.element(link).toHaveAttribute("href", "/api/media/t/lesson/7/textbook.pdf#page=2");
  });

  test("the page that is spoken about is seen; one that can't be had is left out", async () => {
    const pages = [...(lesson.handouts[0]?.pages ?? []), { page: 3, at: 50 }];
    const handouts = [{ kind: "textbook", page_count: 3, pages }];
    answers["GET lesson/7/"] = () => json({ ...lesson, handouts });
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

  test("a check shows at once, and is taken back when the server refuses", async () => {
    const answer = Promise.withResolvers<Response>();
    answers["PUT check/7/"] = () => answer.promise;
    await opened();
    const check = page.getByRole("checkbox", { name: "学習済みにする" });
    await check.click();
    await expect.element(check).toBeChecked();
    answer.resolve(problem(409, "MARK_LIMIT"));
    await expect.element(check).not.toBeChecked();
  });

  test("a beat that completes the lesson ticks it", async () => {
    answers["POST lesson/7/beat/"] = () =>
      json({ position: 21, furthest: 21, covered: 55, is_check: true, is_done: true });
    await opened();
    await page.getByRole("button", { name: "再生" }).click();
    await expect.poll(() => video().currentTime, PATIENT).toBeGreaterThan(21.1);
    await userEvent.keyboard("k");
    await expect.element(page.getByRole("checkbox", { name: "学習済みにする" })).toBeChecked();
  });
});

describe("notes", () => {
  test("one is kept at the second at which it was begun", async () => {
    answers["PUT note/*/"] = (body) => json({ ...note("主語は人"), ...(body as object) });
    await write("主語は人");
    video().currentTime = 40;
    await page.getByRole("button", { name: "ノートを保存" }).click();
    const list = page.getByRole("list", { name: "このレッスンのノート" });
    await expect.element(list).toMatchTextContent(/主語は人/);
    const sent = calls.find(({ call }) => call.startsWith("PUT note/"));
    expect(sent?.body).toEqual({ lesson: 7, at: 20, text: "主語は人" });
    await expect.element(page.getByLabelText("ノートを書く")).toHaveValue("");
  });

  test("one that can't be saved stays where it was written, and keeps its name", async () => {
    answers["PUT note/*/"] = () => problem(502, "UPSTREAM_UNAVAILABLE");
    await write("主語は人");
    const save = page.getByRole("button", { name: "ノートを保存" });
    await save.click();
    await expect.element(alert()).toMatchTextContent(/ノートを保存できませんでした/);
    await expect.element(page.getByRole("textbox")).toHaveValue("主語は人");
    answers["PUT note/*/"] = (body) => json({ ...note("主語は人"), ...(body as object) });
    await save.click();
    await expect
      .element(page.getByRole("list", { name: "このレッスンのノート" }))
      .toMatchTextContent(/主語は人/);
    const names = calls.filter(({ call }) => call.startsWith("PUT")).map(({ call }) => call);
    expect(new Set(names).size).toBe(1);
  });

  test("Enter that picks a word saves nothing, with Ctrl neither", async () => {
    await write("しゅご");
    const field = page.getByRole("textbox").element();
    const enter = { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true };
    field.dispatchEvent(new KeyboardEvent("keydown", { ...enter, isComposing: true }));
    field.dispatchEvent(new KeyboardEvent("keydown", { ...enter, keyCode: 229 }));
    expect(calls.filter(({ call }) => call.startsWith("PUT"))).toEqual([]);
    field.dispatchEvent(new KeyboardEvent("keydown", enter));
    await expect.poll(() => calls.filter(({ call }) => call.startsWith("PUT")).length).toBe(1);
  });

  test("one is written anew, leads to its second, and is taken away", async () => {
    answers["GET note/"] = () =>
      json({ count: 1, next: null, previous: null, results: [note("主語", 33)] });
    answers["PUT note/*/"] = (body) => json({ ...note("主語", 33), ...(body as object) });
    answers["DELETE note/*/"] = () => new Response(null, { status: 204 });
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

describe("at the end", () => {
  test("the next lesson is offered, and waits", async () => {
    const offer = await watchTheEnd();
    await expect.element(offer).toMatchTextContent(/つぎは「動詞をさがす」/);
    await expect
      .element(offer.getByRole("link", { name: "つぎのレッスンへ" }))
      .toHaveAttribute("href", "/lecture/8");
  });

  test("for those who want that it begins by itself, unless it is stopped", async () => {
    prefer({ autoplay: true });
    const offer = await watchTheEnd();
    await expect.element(offer).toMatchTextContent(/（5秒）/);
    await offer.getByRole("button", { name: "とめる" }).click();
    await expect.element(offer).not.toMatchTextContent(/秒）/);
  });
});

test.each([320, 1280])(
  "at %d px nothing is wrong, too wide or too small to press",
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

test("on a phone the video stays in sight, and the lessons are below it", async () => {
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
