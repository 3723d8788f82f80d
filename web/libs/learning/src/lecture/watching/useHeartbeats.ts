import { ApiError, PERSONAL } from "@konomana/http";
import { lecture, type LectureLesson, type WatchProgress } from "../../api";
import { useSession } from "@konomana/session";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Beats, wholeSecond } from "./Beats";
import { device } from "./device";
import { Stretches } from "./Stretches";

/** How often is told what was watched. */
const BEAT_MS = 15_000;

const known = new Map<string, Beats>();

/** The beats of the signed-in person, one line of them for the whole tab. */
export function useOwnBeats(): Beats {
  const owner = useSession().user?.id ?? "";
  const beats = known.get(owner) ?? makeBeats(owner);
  known.set(owner, beats);
  return beats;
}

/** Forgets the lines of this tab, as a page that is opened anew. */
export function forgetBeats(): void {
  known.clear();
}

function makeBeats(owner: string): Beats {
  return new Beats({
    send: lecture.sendHeartbeat,
    storage: localStorage,
    owner,
    device: device(),
    now: Date.now,
  });
}

interface BeatParts {
  lesson: number;
  /** Where the video is, also while its source is on its way. */
  place: () => number;
  stream: string | null;
  onAnswer: (answer: WatchProgress | ApiError) => void;
}

/** Tells the server what is really watched of a video: every 15 seconds, at a pause, and when it is left. */
export function useBeats(video: HTMLVideoElement | null, parts: BeatParts): void {
  const beats = useOwnBeats();
  const queries = useQueryClient();
  const newest = useRef(parts);
  useEffect(() => {
    newest.current = parts;
  });
  const { lesson } = parts;

  useEffect(
    () =>
      beats.listen((about, answer, stream) => {
        // A stream that was begun anew since ends nothing.
        const ended = answer instanceof ApiError && answer.code === "STREAM_ENDED";
        if (about !== lesson || (ended && stream !== newest.current.stream)) return;
        newest.current.onAnswer(answer);
      }),
    [beats, lesson],
  );

  useEffect(() => {
    if (!video) return;
    const stretches = new Stretches();
    const over = new AbortController();
    const { signal } = over;
    let toldPlace = wholeSecond(newest.current.place());

    const look = () => {
      if (video.seeking || video.readyState === HTMLMediaElement.HAVE_NOTHING) return;
      stretches.moved(video.currentTime, performance.now(), video.playbackRate);
    };
    const keep = () => {
      if (!video.paused) look();
      const { place, stream } = newest.current;
      const watched = stretches.take();
      const position = wholeSecond(place());
      if (watched.length === 0 && position === toldPlace) return;
      beats.add(lesson, { position, watched, stream });
      toldPlace = position;
    };
    const tell = () => {
      keep();
      return beats.flush();
    };
    const stop = () => {
      look();
      stretches.stopped();
      void tell();
    };
    const leave = () => {
      keep();
      beats.leave();
      const { stream } = newest.current;
      // One that can't be ended is forgotten by the server after a while.
      if (stream !== null) lecture.endStream(stream).catch(() => {});
    };
    const onVideo = (name: string, listener: () => void) =>
      video.addEventListener(name, listener, { signal });

    onVideo("timeupdate", () => !video.paused && look());
    onVideo("seeking", () => stretches.stopped());
    onVideo("emptied", () => stretches.stopped());
    onVideo("pause", stop);
    onVideo("ended", stop);
    document.addEventListener("visibilitychange", () => document.hidden && void tell(), {
      signal,
    });
    globalThis.addEventListener("pagehide", leave, { signal });
    globalThis.addEventListener("online", () => void beats.flush(), { signal });
    const timer = setInterval(() => void (video.paused ? beats.flush() : tell()), BEAT_MS);
    // What an earlier page could not tell.
    void beats.flush();
    return () => {
      over.abort();
      clearInterval(timer);
      void tell();
      // What was watched changes lists and counts of other screens.
      void queries.invalidateQueries({ queryKey: PERSONAL, refetchType: "none" });
    };
  }, [video, beats, lesson, queries]);
}

/** A lesson as it stands after a beat. */
export function withWatched(lesson: LectureLesson, answer: WatchProgress): LectureLesson {
  const { position, furthest, covered, is_check } = answer;
  const { times } = lesson.watch ?? { times: 1 };
  const watch = { position, furthest, covered, times, last_seen: new Date().toISOString() };
  return { ...lesson, is_check, watch };
}
