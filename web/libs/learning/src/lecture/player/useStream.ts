import { ApiError } from "@konomana/http";
import { lecture, type LectureLesson, type Stream } from "../../api";
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { tabName } from "../watching/tabName";

/** How long before its links end a stream is begun anew. */
const RENEW_AHEAD_MS = 5 * 60_000;
/** What fails again so soon does not mend itself. */
const MENDING_MS = 60_000;

/** Why nothing plays. */
export type Hindrance =
  | { kind: "elsewhere" | "tooMany" | "expired" | "broken" }
  | { kind: "failed"; error: Error };

export interface Streaming {
  stream: Stream | null;
  /** What stands in the way; null while nothing does. */
  hindrance: Hindrance | null;
  starting: boolean;
  /** Begins again; with `takeOver` the stream elsewhere ends. */
  start: (takeOver: boolean) => void;
  /** Another device has taken over. */
  end: () => void;
  /** The video could not be had: perhaps its links have ended. */
  failed: () => void;
}

/** The links to a lesson's video, begun with the screen and renewed before they end. */
export function useStream({ id, has_video, is_expired }: LectureLesson): Streaming {
  const [stream, setStream] = useState<Stream | null>(null);
  const [hindrance, setHindrance] = useState<Hindrance | null>(null);
  const mendedAt = useRef(-Infinity);
  const { mutate, isPending } = useMutation({
    mutationFn: (takeOver: boolean) => lecture.startStream(id, tabName(), takeOver),
    onSuccess: (begun) => {
      setHindrance(null);
      setStream(begun);
    },
    onError: (error) => setHindrance(hindranceOf(error)),
  });

  const playable = has_video && !is_expired;
  useEffect(() => {
    if (playable) mutate(false);
  }, [playable, mutate]);

  useEffect(() => {
    if (!playable) return;
    // The stream ended as the page was left; a browser that kept the page shows it as it was.
    const back = ({ persisted }: PageTransitionEvent) => persisted && mutate(false);
    globalThis.addEventListener("pageshow", back);
    return () => globalThis.removeEventListener("pageshow", back);
  }, [playable, mutate]);

  useEffect(() => {
    if (!stream) return;
    const left = Date.parse(stream.expires_at) - Date.now() - RENEW_AHEAD_MS;
    const timer = setTimeout(() => mutate(false), Math.max(left, MENDING_MS));
    return () => clearTimeout(timer);
  }, [stream, mutate]);

  const failed = useCallback(() => {
    const now = performance.now();
    if (now - mendedAt.current < MENDING_MS) return setHindrance({ kind: "broken" });
    mendedAt.current = now;
    mutate(false);
  }, [mutate]);

  return {
    stream,
    hindrance,
    starting: isPending,
    start: mutate,
    end: useCallback(() => setHindrance({ kind: "elsewhere" }), []),
    failed,
  };
}

function hindranceOf(error: Error): Hindrance | null {
  const code = error instanceof ApiError ? error.code : "";
  if (code === "TOO_MANY_STREAMS") return { kind: "tooMany" };
  if (code === "EXPIRED_ITEM") return { kind: "expired" };
  // A newer attempt is on its way.
  if (code === "REPLACED") return null;
  return { kind: "failed", error };
}
