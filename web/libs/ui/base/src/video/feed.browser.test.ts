import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attach } from "./attach";
import { filmInit, filmPart } from "./testing";

/** A video takes the time that it takes. */
const PATIENT = { timeout: 10_000 };

/** How long the film is, and each of its parts, in seconds. */
const LONG = 120;
const PART = 5;

const master = "/film/master.m3u8";
const size = (name: string, bandwidth: number, height: number) =>
  `#EXT-X-STREAM-INF:BANDWIDTH=${bandwidth},RESOLUTION=${height}x${height},CODECS="opus"\n${name}/index.m3u8\n`;

const parts = Array.from(
  { length: LONG / PART },
  (_, index) => `#EXTINF:${PART}.000,\n${index}.m4s\n`,
);
const list = `#EXTM3U\n#EXT-X-MAP:URI="init.mp4"\n${parts.join("")}#EXT-X-ENDLIST\n`;

/** What was asked for, and what is answered in place of the film, by path. */
let asked: string[];
let spoilt: Record<string, (signal?: AbortSignal | null) => Response | Promise<Response>>;
let video: HTMLVideoElement;
let detach = () => {};
let failed: number;

function answer(path: string): Response {
  const name = path.split("/").at(-1) ?? "";
  if (path === master)
    return new Response(`#EXTM3U\n${size("small", 10_000, 100)}${size("large", 100_000, 200)}`);
  if (name === "index.m3u8") return new Response(list);
  if (name === "init.mp4") return new Response(filmInit());
  const from = Number.parseInt(name, 10) * PART;
  return new Response(filmPart(from, from + PART));
}

beforeEach(() => {
  asked = [];
  spoilt = {};
  failed = 0;
  vi.spyOn(globalThis, "fetch").mockImplementation((url, init) => {
    const { pathname } = new URL(String(url));
    init?.signal?.throwIfAborted();
    asked.push(pathname);
    const other = spoilt[pathname];
    return Promise.resolve(other ? other(init?.signal) : answer(pathname));
  });
  video = document.createElement("video");
  video.muted = true;
  video.style.cssText = "display: block; width: 400px; height: 300px";
  document.body.append(video);
});

afterEach(() => {
  detach();
  video.remove();
  vi.restoreAllMocks();
});

function open({ url = master, from = 0 } = {}) {
  detach = attach(video, { master, url, from, onFail: () => failed++ });
}

const state = () => ({ at: video.currentTime, ready: video.readyState >= 2 && !video.seeking });

async function isReadyAt(second: number) {
  await expect.poll(state, PATIENT).toEqual({ at: second, ready: true });
}

const loaded = () => asked.filter((path) => path.endsWith(".m4s"));

test("a film begins where it should, and loads no more than soon is needed", async () => {
  open({ from: 42 });
  await isReadyAt(42);
  expect(video.duration).toBeCloseTo(LONG, 0);
  await expect.poll(() => loaded().at(-1), PATIENT).toBe("/film/large/14.m4s");
  expect(loaded()[0]).toBe("/film/large/8.m4s");
  expect(failed).toBe(0);
});

test("it plays over the border of two parts, and to its end", async () => {
  open({ from: 4 });
  await isReadyAt(4);
  video.playbackRate = 4;
  await video.play();
  await expect.poll(() => video.currentTime, PATIENT).toBeGreaterThan(6);
  video.currentTime = LONG - 3;
  await expect.poll(() => video.ended, PATIENT).toBe(true);
  expect(video.currentTime).toBeCloseTo(LONG, 0);
});

test("a leap to its very end ends it", async () => {
  open();
  await isReadyAt(0);
  await video.play();
  video.currentTime = LONG;
  await expect.poll(() => video.ended, PATIENT).toBe(true);
  expect(failed).toBe(0);
});

test("what is leapt over is not loaded", async () => {
  open();
  await isReadyAt(0);
  video.currentTime = 90;
  await isReadyAt(90);
  await expect.poll(() => loaded().at(-1), PATIENT).toBe("/film/large/23.m4s");
  expect(loaded()).not.toContain("/film/large/10.m4s");
  video.currentTime = 2;
  await isReadyAt(2);
});

test("a part that is on its way is given up where the video leaps away from it", async () => {
  let gaveUp = false;
  spoilt["/film/large/0.m4s"] = (signal) =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => {
        gaveUp = true;
        reject(signal.reason as Error);
      });
    });
  open();
  await expect.poll(() => video.readyState, PATIENT).toBe(HTMLMediaElement.HAVE_METADATA);
  expect(loaded()).toEqual(["/film/large/0.m4s"]);
  video.currentTime = 60;
  await isReadyAt(60);
  expect(gaveUp).toBe(true);
  expect(failed).toBe(0);
});

test("one size only is loaded where that is wished, and the smaller one for a small screen", async () => {
  open({ url: "/film/small/index.m3u8" });
  await isReadyAt(0);
  expect(loaded().every((path) => path.startsWith("/film/small/"))).toBe(true);
  detach();
  asked = [];
  video.style.height = "50px";
  open();
  await isReadyAt(0);
  expect(loaded().every((path) => path.startsWith("/film/small/"))).toBe(true);
});

test("a server that stumbles is asked again", async () => {
  let tries = 0;
  spoilt["/film/large/0.m4s"] = () =>
    tries++ === 0 ? new Response("", { status: 502 }) : answer("/film/large/0.m4s");
  open();
  await isReadyAt(0);
  expect(tries).toBe(2);
  expect(failed).toBe(0);
});

test.each([
  ["links that have ended", master, () => new Response("", { status: 403 })],
  ["a part that is gone", "/film/large/0.m4s", () => new Response("", { status: 404 })],
  ["a list that is none", "/film/large/index.m3u8", () => new Response("<html>")],
  ["a part that is none", "/film/large/0.m4s", () => new Response("<html>")],
  ["a part from elsewhere in the film", "/film/large/0.m4s", () => answer("/film/large/9.m4s")],
])("somebody is told of %s", async (_, path, other) => {
  spoilt[path] = other;
  open();
  await expect.poll(() => failed, PATIENT).toBe(1);
  expect(state().ready).toBe(false);
});

test("what was seen long ago is let go, and loaded anew for who goes back to it", async () => {
  open();
  await isReadyAt(0);
  for (const second of [30, 60, 90, 115]) {
    video.currentTime = second;
    await isReadyAt(second);
  }
  await expect.poll(() => video.buffered.start(0), PATIENT).toBeGreaterThan(0);
  video.currentTime = 1;
  await isReadyAt(1);
  expect(loaded().filter((path) => path === "/film/large/0.m4s")).toHaveLength(2);
});

test("a browser whose room is full gets less ahead, and plays on", async () => {
  open();
  await isReadyAt(0);
  vi.spyOn(SourceBuffer.prototype, "appendBuffer").mockImplementationOnce(() => {
    throw new DOMException("No room.", "QuotaExceededError");
  });
  video.currentTime = 60;
  await isReadyAt(60);
  await expect.poll(() => loaded().at(-1), PATIENT).toBe("/film/large/14.m4s");
  expect(failed).toBe(0);
});

test("a video that is taken away loads nothing more and says nothing", async () => {
  open();
  await isReadyAt(0);
  const before = asked.length;
  video.currentTime = 90;
  detach();
  await expect.poll(() => video.readyState, PATIENT).toBe(HTMLMediaElement.HAVE_NOTHING);
  expect(asked).toHaveLength(before);
  expect(failed).toBe(0);
  expect(video.hasAttribute("src")).toBe(false);
});
