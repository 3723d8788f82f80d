/** What browsers call a playlist that they can play themselves. */
const PLAYLIST = "application/vnd.apple.mpegurl";

/** Whether the browser plays playlists by itself. */
export function plays(video: HTMLVideoElement): boolean {
  return video.canPlayType(PLAYLIST) !== "";
}

/**
 * Whether a video is better fed than left to the browser. Chromium gives a playlist up at the first part that
 * does not come, with seconds still to play; Apple's browsers play it well, and to a television only so.
 */
function isFed(video: HTMLVideoElement): boolean {
  const isApple = "WebKitPlaybackTargetAvailabilityEvent" in globalThis;
  return !plays(video) || ("MediaSource" in globalThis && !isApple);
}

interface Source {
  /** Where the list of its sizes lies. */
  master: string;
  /** The list of the only size to show; the list of sizes for whichever fits. */
  url: string;
  /** Where to begin, in seconds. */
  from: number;
  /** The video can't be had. */
  onFail: () => void;
}

/**
 * Gives a video its source: the playlist where the browser plays it well, else what feeds the video, which is
 * loaded only then. The returned function takes it away again.
 */
export function attach(video: HTMLVideoElement, source: Source): () => void {
  const { url, from, onFail } = source;
  const leaving = new AbortController();
  const { signal } = leaving;
  video.addEventListener("error", () => video.error && onFail(), { signal });
  if (isFed(video)) {
    void attachFeed(video, source, signal);
  } else {
    video.src = url;
    begin(video, from);
    // Some browsers forget where to begin as they learn what they play.
    video.addEventListener("loadedmetadata", () => begin(video, from), { signal, once: true });
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

async function attachFeed(video: HTMLVideoElement, source: Source, signal: AbortSignal) {
  try {
    const { feed } = await import("./feed");
    signal.throwIfAborted();
    await feed(video, source, signal);
  } catch {
    if (!signal.aborted) source.onFail();
  }
}
