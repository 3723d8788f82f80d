// oxlint-disable-next-line typescript/triple-slash-reference -- the site, which checks this file too, finds it so
/// <reference path="./hls-light.d.ts" />

/** What browsers call a playlist that they can play themselves. */
const PLAYLIST = "application/vnd.apple.mpegurl";

/** Whether the browser plays playlists by itself. */
export function plays(video: HTMLVideoElement): boolean {
  return video.canPlayType(PLAYLIST) !== "";
}

interface Source {
  url: string;
  /** Where to begin, in seconds. */
  from: number;
  /** The video can't be had. */
  onFail: () => void;
}

/**
 * Gives a video its source: by itself where the browser plays such playlists, else with a library that is loaded
 * only then. The returned function takes it away again.
 */
export function attach(video: HTMLVideoElement, { url, from, onFail }: Source): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  video.addEventListener("error", () => video.error && onFail(), { signal });
  if (plays(video)) {
    video.src = url;
    begin(video, from);
    // Some browsers forget where to begin as they learn what they play.
    video.addEventListener("loadedmetadata", () => begin(video, from), { signal, once: true });
  } else {
    void attachLibrary(video, { url, from, onFail }, signal);
  }
  return () => {
    leaving.abort();
    video.removeAttribute("src");
    video.load();
  };
}

function begin(video: HTMLVideoElement, from: number): void {
  if (Math.abs(video.currentTime - from) > 1) video.currentTime = from;
}

async function attachLibrary(video: HTMLVideoElement, source: Source, signal: AbortSignal) {
  const { url, from, onFail } = source;
  try {
    const { default: Hls } = await import("hls.js/light");
    if (signal.aborted) return;
    // Its worker would be a script from a blob, which the Content-Security-Policy forbids.
    const hls = new Hls({ enableWorker: false, startPosition: from });
    signal.addEventListener("abort", () => hls.destroy());
    hls.on(Hls.Events.ERROR, (_, { fatal }) => fatal && onFail());
    hls.loadSource(url);
    hls.attachMedia(video);
  } catch {
    if (!signal.aborted) onFail();
  }
}
