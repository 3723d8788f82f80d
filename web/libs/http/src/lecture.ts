import { queryOptions } from "@tanstack/react-query";
import { sendSignedIn } from "./transport/send";
import type {
  Beat,
  HandoutFiles,
  LectureLesson,
  Note,
  NotePage,
  Stream,
  Watched,
} from "./lecture-types";
import { PERSONAL } from "./queries";
import { toQuery } from "./toQuery";

type Signal = AbortSignal | undefined;

const LMS = "/api/lms";

const get = <Answer>(path: string, signal: Signal) =>
  sendSignedIn<Answer>({ method: "GET", url: `${LMS}/${path}`, signal });

/** The calls of a lesson's player. Failures are `ApiError`s. */
export const lecture = {
  lesson: (id: number | string, signal?: Signal) =>
    get<LectureLesson>(`lesson/${encodeURIComponent(id)}/`, signal),

  /**
   * Begins to play on a device, which is a tab of a browser. With `takeOver` the learner's stream that has been
   * silent for longest ends for it.
   */
  startStream: (id: number, device: string, takeOver: boolean) =>
    sendSignedIn<Stream>({
      method: "POST",
      url: `${LMS}/lesson/${id}/stream/`,
      body: { device, take_over: takeOver },
    }),

  /** Where the hand-outs of a lesson lie; begins no stream. */
  handouts: (id: number) => get<HandoutFiles>(`lesson/${id}/handout/`, undefined),

  /** Ends a stream of the learner's own: it counts as no player any more, also where its page is being left. */
  endStream: (stream: string) =>
    sendSignedIn<void>({
      method: "DELETE",
      url: `${LMS}/stream/${encodeURIComponent(stream)}/`,
      keepalive: true,
    }),

  /** Tells what was watched; goes out even from a page that is just being left. */
  beat: (id: number, beat: Beat) =>
    sendSignedIn<Watched>({
      method: "POST",
      url: `${LMS}/lesson/${id}/beat/`,
      body: beat,
      keepalive: true,
    }),

  notes: (lesson: number, page: number, signal?: Signal) =>
    get<NotePage>(`note/${toQuery({ lesson, page })}`, signal),

  /** Writes a note down, or writes it anew; may be repeated without harm. */
  saveNote: (id: string, note: { lesson: number; at: number; text: string }) =>
    sendSignedIn<Note>({ method: "PUT", url: `${LMS}/note/${id}/`, body: note }),

  removeNote: (id: string) => sendSignedIn<void>({ method: "DELETE", url: `${LMS}/note/${id}/` }),
};

/** One lesson as its player shows it. */
export const lessonQuery = (id: number | string) =>
  queryOptions({
    queryKey: [...PERSONAL, "lesson", String(id)],
    queryFn: ({ signal }) => lecture.lesson(id, signal),
    staleTime: 60_000,
  });

/** Every note of one lesson, in the order of the video. */
export const lessonNotesQuery = (lesson: number) =>
  queryOptions({
    queryKey: [...PERSONAL, "note", { lesson: String(lesson) }],
    queryFn: async ({ signal }) => {
      const notes: Note[] = [];
      for (let page = 1; ; page++) {
        const { results, next } = await lecture.notes(lesson, page, signal);
        notes.push(...results);
        if (!next) return notes;
      }
    },
    staleTime: 60_000,
  });
