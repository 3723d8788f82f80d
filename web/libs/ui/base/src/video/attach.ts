import { requestPlaylists } from "./earlyPlaylists";
import { findRendition } from "./renditions";

/** The media type of an HLS playlist. */
const HLS = "application/vnd.apple.mpegurl";

/** Whether the browser plays HLS natively. */
export function playsNatively(video: HTMLVideoElement): boolean {
  return video.canPlayType(HLS) !== "";
}

/**
 * Whether hls.js plays the video. Chromium's native player stops at the first segment that fails.
 * Apple's native player recovers, and only it supports AirPlay to a television.
 */
function needsHlsJs(video: HTMLVideoElement): boolean {
  const isApple = "WebKitPlaybackTargetAvailabilityEvent" in globalThis;
  return !playsNatively(video) || ("MediaSource" in globalThis && !isApple);
}

const loadHlsJs = () => import("./hls");

/** Starts to load hls.js if videos will need it. */
export function preloadPlayer(): void {
  // `attachSource` loads it again and reports a failure.
  if (needsHlsJs(document.createElement("video"))) loadHlsJs().catch(() => {});
}

/**
 * Starts to load the playlists of a video, if hls.js will need them. Never rejects: `attachSource`
 * reports a failure.
 */
export async function preloadPlaylists(playlist: string): Promise<void> {
  if (needsHlsJs(document.createElement("video"))) await requestPlaylists(playlist).catch(() => {});
}

export interface Source {
  /** URL of the multivariant playlist. */
  playlist: string;
  /** Height in lines of the rendition to play; `null` adapts to the connection and the screen. */
  height: number | null;
  /** Start position in seconds. */
  from: number;
  /** Called once, when the video can't be played. */
  onFail: () => void;
}

/**
 * Plays an HLS playlist in a video element, natively or with hls.js. The returned function detaches
 * it.
 */
export function attachSource(video: HTMLVideoElement, source: Source): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  let hasFailed = false;
  const onFail = () => {
    if (hasFailed || signal.aborted) return;
    hasFailed = true;
    source.onFail();
  };
  const attach = needsHlsJs(video) ? attachHlsJs : attachNatively;
  attach(video, { ...source, onFail }, signal).catch(onFail);
  return () => {
    leaving.abort();
    removeSource(video);
  };
}

function reportErrors(video: HTMLVideoElement, { onFail }: Source, signal: AbortSignal): void {
  video.addEventListener("error", () => video.error && onFail(), { signal });
}

function removeSource(video: HTMLVideoElement): void {
  video.removeAttribute("src");
  video.load();
}

async function attachHlsJs(video: HTMLVideoElement, source: Source, signal: AbortSignal) {
  // The element may be loading a URL that it can't play.
  removeSource(video);
  reportErrors(video, source, signal);
  const { playHls } = await loadHlsJs();
  signal.throwIfAborted();
  playHls(video, source, signal);
}

async function attachNatively(video: HTMLVideoElement, source: Source, signal: AbortSignal) {
  const { playlist, height, from } = source;
  const url = height === null ? playlist : await findRendition(playlist, height, signal);
  signal.throwIfAborted();
  reportErrors(video, source, signal);
  video.src = url;
  seekTo(video, from);
  // Some browsers reset the position when the metadata arrives.
  video.addEventListener("loadedmetadata", () => seekTo(video, from), { signal, once: true });
}

function seekTo(video: HTMLVideoElement, second: number): void {
  if (Math.abs(video.currentTime - second) > 1) video.currentTime = second;
}
