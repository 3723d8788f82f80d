import type { Stream } from "../../api";
import { attachSource } from "@konomana/ui-base/video";
import { useCallback, useEffect, useRef } from "react";
import type { Quality } from "./preferences";

interface SourceParts {
  stream: Stream | null;
  quality: Quality;
  /** Start position in seconds. */
  startAt: number;
  onFail: () => void;
}

/**
 * Whether the person has interacted with this document. Browsers allow sound to start automatically
 * only after that.
 */
function mayPlay(): boolean {
  return navigator.userActivation?.hasBeenActive ?? false;
}

/**
 * Gives the video its source, and replaces it when the stream or the quality changes, at the same
 * position. Returns a function that reads the position, also while a source is loading.
 */
export function useSource(
  video: HTMLVideoElement | null,
  { stream, quality, startAt, onFail }: SourceParts,
): () => number {
  const place = useRef({ at: startAt, playing: mayPlay() });
  const tell = useRef(onFail);
  useEffect(() => {
    tell.current = onFail;
  });

  useEffect(() => {
    if (!video || !stream) return;
    const { at, playing } = place.current;
    const detach = attachSource(video, {
      playlist: stream.playlist,
      height: quality === "auto" ? null : Number.parseInt(quality, 10),
      from: at,
      onFail: () => tell.current(),
    });
    // Browsers refuse to play before an interaction; the play button remains.
    if (playing) video.play().catch(() => {});
    return () => {
      place.current = { at: placeOf(video, at), playing: !video.paused };
      detach();
    };
  }, [video, stream, quality]);

  return useCallback(() => (video ? placeOf(video, place.current.at) : place.current.at), [video]);
}

function placeOf({ readyState, currentTime }: HTMLVideoElement, otherwise: number): number {
  return readyState === HTMLMediaElement.HAVE_NOTHING ? otherwise : currentTime;
}
