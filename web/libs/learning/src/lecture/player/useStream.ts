import { ApiError } from "@konomana/http";
import type { LectureLesson, Stream } from "../../api";
import { useMutation } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { countPlayer, startStream } from "../watching/earlyStream";

/** A stream is renewed this long before its links expire. */
const RENEW_AHEAD_MS = 5 * 60_000;
/**
 * A video that fails again within this time counts as broken. It is also the shortest time to a
 * renewal.
 */
const MENDING_MS = 60_000;

/** Why the video can't play. */
export type Hindrance =
  | { kind: "elsewhere" | "tooMany" | "expired" | "broken" }
  | { kind: "failed"; error: Error };

export interface Streaming {
  stream: Stream | null;
  /** The reason why the video can't play; null while it can. */
  hindrance: Hindrance | null;
  starting: boolean;
  /** Starts a stream; with `takeOver` it ends the stream elsewhere. */
  start: (takeOver: boolean) => void;
  /** Reports that another device has taken over. */
  end: () => void;
  /**
   * Reports that the video failed to load. Its links may have expired, so the stream is renewed.
   */
  failed: () => void;
}

/** The stream of a lesson's video, started with the screen and renewed before its links expire. */
export function useStream({ id, has_video, is_expired }: LectureLesson): Streaming {
  const [stream, setStream] = useState<Stream | null>(null);
  const [hindrance, setHindrance] = useState<Hindrance | null>(null);
  const mendedAt = useRef(-Infinity);
  const { mutate, isPending } = useMutation({
    mutationFn: (takeOver: boolean) => startStream(id, takeOver),
    onSuccess: (begun) => {
      setHindrance(null);
      setStream(begun);
    },
    onError: (error) => setHindrance(hindranceOf(error)),
  });

  useEffect(countPlayer, []);

  const playable = has_video && !is_expired;
  useEffect(() => {
    if (playable) mutate(false);
  }, [playable, mutate]);

  useEffect(() => {
    if (!playable) return;
    // The stream ended when the page was left. After a return from the back/forward cache a new one
    // is needed.
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
  // A newer attempt is running.
  if (code === "REPLACED") return null;
  return { kind: "failed", error };
}
