import HlsJs, { Events, type HlsConfig, type LoadPolicy, type RetryConfig } from "hls.js/light";
import type { Source } from "./attach";
import { HlsLoader } from "./HlsLoader";

const MAX_RETRIES = 6;
/** hls.js repeats a request after a timeout or a 5xx, and waits while the browser is offline. */
const retry: RetryConfig = {
  maxNumRetry: MAX_RETRIES,
  retryDelayMs: 500,
  maxRetryDelayMs: 8000,
  shouldRetry: (_config, count, _isTimeout, response, isRetried) =>
    isRetried || (count < MAX_RETRIES && isTransient(response?.code)),
};
const policy: LoadPolicy = {
  default: {
    maxTimeToFirstByteMs: 10_000,
    maxLoadTimeMs: 60_000,
    timeoutRetry: retry,
    errorRetry: retry,
  },
};

/** Whether the failure is transient: no response, or a status that asks for a retry. */
function isTransient(status: number | undefined): boolean {
  return status === 0 || status === 408 || status === 429;
}

/** Whether the server refuses the file, e.g. because the signed URL has expired. */
function isRefusal(status = 0): boolean {
  return status >= 400 && status < 500 && !isTransient(status);
}

const config: Partial<HlsConfig> = {
  // Content-Security-Policy and Trusted Types allow no worker from a blob.
  enableWorker: false,
  // Seconds of video to buffer ahead, and to keep behind.
  maxBufferLength: 30,
  maxMaxBufferLength: 30,
  backBufferLength: 60,
  capLevelToPlayerSize: true,
  // A test segment would delay the first frame.
  testBandwidth: false,
  // A rendition chosen by hand is kept, because it may have been chosen to save data.
  preserveManualLevelOnError: true,
  loader: HlsLoader,
  manifestLoadPolicy: policy,
  playlistLoadPolicy: policy,
  fragLoadPolicy: policy,
  keyLoadPolicy: policy,
};

/**
 * Plays an HLS playlist with hls.js until the signal aborts. Throws in a browser without Media
 * Source Extensions.
 */
export function playHls(
  video: HTMLVideoElement,
  { playlist, height, from, onFail }: Source,
  signal: AbortSignal,
): void {
  if (!HlsJs.isSupported()) throw new Error("This browser has no Media Source Extensions.");
  const hls = new HlsJs({ ...config, startPosition: from });
  signal.addEventListener("abort", () => hls.destroy());
  hls.on(Events.MEDIA_ATTACHED, () => {
    // The element reports this position before anything is loaded.
    video.currentTime = from;
  });
  hls.on(Events.MANIFEST_PARSED, (_, { levels }) => {
    if (height !== null) hls.loadLevel = levels.findIndex((level) => level.height === height);
  });
  hls.on(Events.ERROR, (_, { fatal, response }) => {
    if (!fatal && !isRefusal(response?.code)) return;
    // The loaded part stays, and so does the position.
    hls.stopLoad();
    onFail();
  });
  hls.loadSource(playlist);
  hls.attachMedia(video);
}
