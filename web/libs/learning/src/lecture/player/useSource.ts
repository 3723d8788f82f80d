import type { Stream } from "../../api";
import { attachSource } from "@konomana/ui-base/video";
import { useCallback, useEffect, useRef } from "react";
import type { Quality } from "./preferences";

interface SourceParts {
  stream: Stream | null;
  quality: Quality;
  /** Where to begin, in seconds. */
  startAt: number;
  onFail: () => void;
}

/** Whether somebody has pressed something since this document was opened: only then may sound begin by itself. */
function mayPlay(): boolean {
  return navigator.userActivation?.hasBeenActive ?? false;
}

/**
 * Gives the video its source, and another one where the links or the quality change: it goes on where it was.
 * What is returned tells the place, also while a source is on its way.
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
    // Browsers refuse where nobody has pressed anything; the button to play is there.
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
