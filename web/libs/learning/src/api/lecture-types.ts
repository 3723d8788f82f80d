/** Types of a lesson's player, from the API document. Times of a video are in seconds. */
import type { Answer, Body, Item } from "@konomana/http";

/** One lesson with its place in the course and the learner's progress. */
export type LectureLesson = Answer<"GET", "/api/lms/lesson/{id}/">;
/** A link to the lesson before or after. */
export type LessonLink = NonNullable<LectureLesson["next"]>;
/** A chapter within a video. */
export type VideoMark = LectureLesson["marks"][number];
/** A hand-out of a lesson, with the second at which each of its pages is discussed. */
export type Handout = LectureLesson["handouts"][number];
export type HandoutKind = Handout["kind"];

/** A playback session of a lesson, with signed URLs valid until `expires_at`. */
export type Stream = Answer<"POST", "/api/lms/lesson/{id}/stream/">;

/** URLs of a hand-out: the PDF, and a picture of each page. */
export type HandoutFile = Stream["handouts"][number];

/** The intervals watched since the last heartbeat. */
export type Heartbeat = Required<Body<"POST", "/api/lms/lesson/{id}/beat/">> & {
  /** Watched intervals: start and end in seconds. */
  watched: [number, number][];
};
/** The learner's progress after a heartbeat. */
export type WatchProgress = Answer<"POST", "/api/lms/lesson/{id}/beat/">;

/** A learner's note at a second of a lesson. */
export type Note = Item<"/api/lms/note/">;
export type NotePage = Answer<"GET", "/api/lms/note/">;
