import { ApiError, PERSONAL } from "@konomana/http";
import { lecture, type LectureLesson, type WatchProgress } from "../../api";
import { useSession } from "@konomana/session";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Heartbeats, wholeSecond } from "./Heartbeats";
import { tabName } from "./tabName";
import { WatchedIntervals } from "./WatchedIntervals";

/** Interval of heartbeats in milliseconds. */
const HEARTBEAT_MS = 15_000;

const known = new Map<string, Heartbeats>();

/** The heartbeats of the signed-in person, one outbox for the whole tab. */
export function useOwnHeartbeats(): Heartbeats {
  const owner = useSession().user?.id ?? "";
  const heartbeats = known.get(owner) ?? createHeartbeats(owner);
  known.set(owner, heartbeats);
  return heartbeats;
}

/** Forgets the outboxes of this tab, as a newly opened page does. */
export function forgetHeartbeats(): void {
  known.clear();
}

function createHeartbeats(owner: string): Heartbeats {
  return new Heartbeats({
    send: lecture.sendHeartbeat,
    owner,
    tab: tabName(),
    now: Date.now,
  });
}

interface HeartbeatParts {
  lesson: number;
  /** The position of the video, also while its source is loading. */
  place: () => number;
  stream: string | null;
  onAnswer: (answer: WatchProgress | ApiError) => void;
}

/**
 * Sends the watched intervals of a video to the server: every 15 seconds, at a pause, and when the
 * page is left.
 */
export function useHeartbeats(video: HTMLVideoElement | null, parts: HeartbeatParts): void {
  const heartbeats = useOwnHeartbeats();
  const queries = useQueryClient();
  const newest = useRef(parts);
  useEffect(() => {
    newest.current = parts;
  });
  const { lesson } = parts;

  useEffect(
    () =>
      heartbeats.listen((about, answer, stream) => {
        // An error for an older stream does not end the current one.
        const ended = answer instanceof ApiError && answer.code === "STREAM_ENDED";
        if (about !== lesson || (ended && stream !== newest.current.stream)) return;
        newest.current.onAnswer(answer);
      }),
    [heartbeats, lesson],
  );

  useEffect(() => {
    if (!video) return;
    const intervals = new WatchedIntervals();
    const over = new AbortController();
    const { signal } = over;
    let toldPlace = wholeSecond(newest.current.place());

    const recordPosition = () => {
      if (video.seeking || video.readyState === HTMLMediaElement.HAVE_NOTHING) return;
      intervals.moveTo(video.currentTime, performance.now(), video.playbackRate);
    };
    const keep = () => {
      if (!video.paused) recordPosition();
      const { place, stream } = newest.current;
      const watched = intervals.take();
      const position = wholeSecond(place());
      if (watched.length === 0 && position === toldPlace) return;
      heartbeats.add(lesson, { position, watched, stream });
      toldPlace = position;
    };
    const tell = () => {
      keep();
      return heartbeats.flush();
    };
    const stop = () => {
      recordPosition();
      intervals.stop();
      void tell();
    };
    const leave = () => {
      keep();
      heartbeats.leave();
      const { stream } = newest.current;
      // If this fails, the server forgets the stream after a while.
      if (stream !== null) lecture.endStream(stream).catch(() => {});
    };
    const onVideo = (name: string, listener: () => void) =>
      video.addEventListener(name, listener, { signal });

    onVideo("timeupdate", () => !video.paused && recordPosition());
    onVideo("seeking", () => intervals.stop());
    onVideo("emptied", () => intervals.stop());
    onVideo("pause", stop);
    onVideo("ended", stop);
    document.addEventListener("visibilitychange", () => document.hidden && void tell(), {
      signal,
    });
    globalThis.addEventListener("pagehide", leave, { signal });
    globalThis.addEventListener("online", () => void heartbeats.flush(), { signal });
    const timer = setInterval(
      () => void (video.paused ? heartbeats.flush() : tell()),
      HEARTBEAT_MS,
    );
    // Sends what an earlier page could not send.
    void heartbeats.flush();
    return () => {
      over.abort();
      clearInterval(timer);
      void tell();
      // Watching changes lists and counts of other screens.
      void queries.invalidateQueries({ queryKey: PERSONAL, refetchType: "none" });
    };
  }, [video, heartbeats, lesson, queries]);
}

/** Applies a heartbeat's answer to a lesson. */
export function withProgress(lesson: LectureLesson, answer: WatchProgress): LectureLesson {
  const { position, furthest, covered, is_check } = answer;
  const { times } = lesson.watch ?? { times: 1 };
  const watch = { position, furthest, covered, times, last_seen: new Date().toISOString() };
  return { ...lesson, is_check, watch };
}
