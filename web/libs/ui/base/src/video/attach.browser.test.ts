import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { attachSource, preloadPlaylists } from "./attach";

/** Playback takes real time. */
const PATIENT = { timeout: 10_000 };

const master = "/films/fmp4/master.m3u8";
/** Duration of the film in seconds. */
const LENGTH = 120;

/** A port without a server. */
const unreachable = () => "http://127.0.0.1:1/";

/** The requested paths, and replacement paths for some of them. */
let requested: string[];
let replaced: Record<string, () => string>;
let video: HTMLVideoElement;
let detach = () => {};
let failures: number;

beforeEach(() => {
  requested = [];
  replaced = {};
  failures = 0;
  const { open } = XMLHttpRequest.prototype;
  vi.spyOn(XMLHttpRequest.prototype, "open").mockImplementation(function (
    this: XMLHttpRequest,
    method: string,
    url: string | URL,
  ) {
    const { pathname } = new URL(url, document.baseURI);
    requested.push(pathname);
    open.call(this, method, replaced[pathname]?.() ?? url, true);
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
  vi.unstubAllGlobals();
});

function attach({ playlist = master, height = null as number | null, from = 0 } = {}) {
  detach = attachSource(video, { playlist, height, from, onFail: () => failures++ });
}

const state = () => ({ at: video.currentTime, ready: video.readyState >= 2 && !video.seeking });

async function expectReadyAt(second: number) {
  await expect.poll(state, PATIENT).toEqual({ at: second, ready: true });
}

const isSmall = (path: string) => path.startsWith("/films/fmp4/small/");
const segments = () => requested.filter((path) => path.endsWith(".m4s"));

test("a film starts at its position and buffers 30 s ahead", async () => {
  attach({ from: 42 });
  await expectReadyAt(42);
  expect(video.duration).toBeCloseTo(LENGTH, 0);
  await expect.poll(() => segments().at(-1), PATIENT).toBe("/films/fmp4/large/14.m4s");
  expect(segments()[0]).toBe("/films/fmp4/large/8.m4s");
  expect(failures).toBe(0);
});

test.each([
  ["in fragmented MP4", "fmp4"],
  ["in one file, by byte ranges", "byte-range"],
  ["in MPEG-TS", "ts"],
  ["in MPEG-TS encrypted with AES-128", "aes"],
])("a film %s plays across the border of two segments, and to its end", async (_, format) => {
  attach({ playlist: `/films/${format}/master.m3u8`, from: 4 });
  await expectReadyAt(4);
  video.playbackRate = 4;
  await video.play();
  await expect.poll(() => video.currentTime, PATIENT).toBeGreaterThan(6);
  video.currentTime = video.duration - 3;
  await expect.poll(() => video.ended, PATIENT).toBe(true);
  expect(failures).toBe(0);
});

test("a seek to the very end ends the film", async () => {
  attach();
  await expectReadyAt(0);
  await video.play();
  video.currentTime = LENGTH;
  await expect.poll(() => video.ended, PATIENT).toBe(true);
  expect(failures).toBe(0);
});

test("playlists that were loaded early are not loaded again", async () => {
  await preloadPlaylists(master);
  attach();
  await expectReadyAt(0);
  expect(requested.filter((path) => path.endsWith(".m3u8"))).toEqual([]);
  detach();
  attach();
  await expectReadyAt(0);
  expect(requested).toContain(master);
});

test("a playlist that failed early is loaded again", async () => {
  const load = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) =>
    String(input).endsWith("index.m3u8") ? new Response("", { status: 502 }) : load(input),
  );
  await preloadPlaylists(master);
  attach();
  await expectReadyAt(0);
  expect(requested).not.toContain(master);
  expect(requested.some((path) => path.endsWith("/index.m3u8"))).toBe(true);
  expect(failures).toBe(0);
});

test("a part that a seek skips is not loaded", async () => {
  attach();
  await expectReadyAt(0);
  video.currentTime = 90;
  await expectReadyAt(90);
  await expect.poll(() => segments().at(-1), PATIENT).toBe("/films/fmp4/large/23.m4s");
  expect(segments()).not.toContain("/films/fmp4/large/10.m4s");
  video.currentTime = 2;
  await expectReadyAt(2);
});

test("only the chosen rendition is loaded, otherwise none larger than the element", async () => {
  attach({ height: 100 });
  await expectReadyAt(0);
  expect(segments().every(isSmall)).toBe(true);
  detach();
  requested = [];
  video.style.height = "50px";
  video.style.width = "50px";
  attach();
  await expect.poll(() => segments().at(-1), PATIENT).toBe("/films/fmp4/small/5.m4s");
});

test("without a rendition of the chosen height the player selects one", async () => {
  attach({ height: 720 });
  await expectReadyAt(0);
  expect(failures).toBe(0);
});

test("a segment that the server failed to send is requested again", async () => {
  let tries = 0;
  replaced["/films/fmp4/large/0.m4s"] = () =>
    tries++ === 0 ? "/films/status/502" : "/films/fmp4/large/0.m4s";
  attach();
  await expectReadyAt(0);
  expect(tries).toBe(2);
  expect(failures).toBe(0);
});

test("without a connection it waits, and continues once there is one", async () => {
  const onLine = vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  replaced["/films/fmp4/large/8.m4s"] = unreachable;
  attach({ from: 42 });
  await expect.poll(segments, PATIENT).toHaveLength(1);
  expect(video.currentTime).toBe(42);
  expect(failures).toBe(0);
  replaced = {};
  onLine.mockReturnValue(true);
  globalThis.dispatchEvent(new Event("online"));
  await expectReadyAt(42);
});

test.each([
  ["signed URLs that have ended", ["master.m3u8"], "status/403"],
  ["a segment that is gone", ["large/0.m4s"], "status/404"],
  ["a playlist that is none", ["small/index.m3u8", "large/index.m3u8"], "ts/0.ts"],
  ["a segment that is none", ["small/0.m4s", "large/0.m4s"], "fmp4/master.m3u8"],
])("%s are reported once", async (_, paths, other) => {
  for (const path of paths) replaced[`/films/fmp4/${path}`] = () => `/films/${other}`;
  attach();
  await expect.poll(() => failures, PATIENT).toBe(1);
  expect(state().ready).toBe(false);
});

test("a removed video loads nothing more and reports nothing", async () => {
  attach();
  await expectReadyAt(0);
  const before = requested.length;
  video.currentTime = 90;
  detach();
  await expect.poll(() => video.readyState, PATIENT).toBe(HTMLMediaElement.HAVE_NOTHING);
  expect(requested).toHaveLength(before);
  expect(failures).toBe(0);
  expect(video.hasAttribute("src")).toBe(false);
});

test("Apple's browsers play the chosen rendition natively", async () => {
  vi.stubGlobal("WebKitPlaybackTargetAvailabilityEvent", Event);
  vi.spyOn(video, "canPlayType").mockReturnValue("maybe");
  attach({ height: 100 });
  await expect.poll(() => video.src).toMatch(/\/films\/fmp4\/small\/index\.m3u8$/);
  detach();
  attach({ height: 720 });
  await expect.poll(() => video.src).toMatch(/\/films\/fmp4\/master\.m3u8$/);
});
