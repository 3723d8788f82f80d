import { call, everyPage } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { lessonKeys } from "@konomana/learner";
import { noteKeys } from "./learningKeys";
import type { Heartbeat } from "./lecture-types";

/** API calls of a lesson's player. Failures are `ApiError`s. */
export const lecture = {
  /**
   * Starts a stream on a device; a device is a browser tab. With `takeOver` it replaces the
   * learner's stream that has been silent for longest.
   */
  startStream: (id: number, device: string, takeOver: boolean) =>
    call("POST", "/api/lms/lesson/{id}/stream/", {
      params: { id },
      body: { device, take_over: takeOver },
    }),

  /** Gets the URLs of a lesson's hand-outs; starts no stream. */
  handouts: (id: number) => call("GET", "/api/lms/lesson/{id}/handout/", { params: { id } }),

  /**
   * Ends a stream of the learner, so that it no longer counts as a player. The request survives
   * leaving the page.
   */
  endStream: (stream: string) =>
    call("DELETE", "/api/lms/stream/{stream}/", { params: { stream }, keepalive: true }),

  /** Sends a heartbeat. The request survives leaving the page. */
  sendHeartbeat: (id: number, heartbeat: Heartbeat) =>
    call("POST", "/api/lms/lesson/{id}/beat/", {
      params: { id },
      body: heartbeat,
      keepalive: true,
    }),

  /** Creates or replaces a note. The call is idempotent. */
  saveNote: (id: string, note: { lesson: number; at: number; text: string }) =>
    call("PUT", "/api/lms/note/{id}/", { params: { id }, body: note }),

  removeNote: (id: string) => call("DELETE", "/api/lms/note/{id}/", { params: { id } }),
};

/** One lesson for its player. */
export const lessonQuery = (id: number | string) =>
  queryOptions({
    queryKey: lessonKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/lms/lesson/{id}/", { params: { id }, signal }),
    staleTime: 60_000,
  });

/**
 * The lesson for a screen that opens. It is stale after five seconds, because another device may
 * have watched more.
 */
export const openedLessonQuery = (id: number | string) => ({ ...lessonQuery(id), staleTime: 5000 });

/** Every note of one lesson, in the order of the video. */
export const lessonNotesQuery = (lesson: number) =>
  queryOptions({
    queryKey: noteKeys.ofLesson(lesson),
    queryFn: ({ signal }) =>
      everyPage((link) => call("GET", "/api/lms/note/", { query: { lesson }, link, signal })),
    staleTime: 60_000,
  });
