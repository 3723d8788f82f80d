import { call, everyPage } from "@konomana/http";
import { queryOptions } from "@tanstack/react-query";
import { lessonKeys } from "@konomana/learner";
import { noteKeys } from "./learningKeys";
import type { Heartbeat } from "./lecture-types";

/** The calls of a lesson's player. Failures are `ApiError`s. */
export const lecture = {
  /**
   * Begins to play on a device, which is a tab of a browser. With `takeOver` the learner's stream that has been
   * silent for longest ends for it.
   */
  startStream: (id: number, device: string, takeOver: boolean) =>
    call("POST", "/api/lms/lesson/{id}/stream/", {
      params: { id },
      body: { device, take_over: takeOver },
    }),

  /** Where the hand-outs of a lesson lie; begins no stream. */
  handouts: (id: number) => call("GET", "/api/lms/lesson/{id}/handout/", { params: { id } }),

  /** Ends a stream of the learner's own: it counts as no player any more, also where its page is being left. */
  endStream: (stream: string) =>
    call("DELETE", "/api/lms/stream/{stream}/", { params: { stream }, keepalive: true }),

  /** Tells what was watched; goes out even from a page that is just being left. */
  sendHeartbeat: (id: number, heartbeat: Heartbeat) =>
    call("POST", "/api/lms/lesson/{id}/beat/", {
      params: { id },
      body: heartbeat,
      keepalive: true,
    }),

  /** Writes a note down, or writes it anew; may be repeated without harm. */
  saveNote: (id: string, note: { lesson: number; at: number; text: string }) =>
    call("PUT", "/api/lms/note/{id}/", { params: { id }, body: note }),

  removeNote: (id: string) => call("DELETE", "/api/lms/note/{id}/", { params: { id } }),
};

/** One lesson as its player shows it. */
export const lessonQuery = (id: number | string) =>
  queryOptions({
    queryKey: lessonKeys.one(id),
    queryFn: ({ signal }) => call("GET", "/api/lms/lesson/{id}/", { params: { id }, signal }),
    staleTime: 60_000,
  });

/** The lesson of a page that opens. After five seconds it is stale: another device may have watched more. */
export const openedLessonQuery = (id: number | string) => ({ ...lessonQuery(id), staleTime: 5000 });

/** Every note of one lesson, in the order of the video. */
export const lessonNotesQuery = (lesson: number) =>
  queryOptions({
    queryKey: noteKeys.ofLesson(lesson),
    queryFn: ({ signal }) =>
      everyPage((link) => call("GET", "/api/lms/note/", { query: { lesson }, link, signal })),
    staleTime: 60_000,
  });
