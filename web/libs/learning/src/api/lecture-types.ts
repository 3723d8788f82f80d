/** What a lesson's player works with, as the API's document describes it. Times of a video are in seconds. */
import type { Answer, Body, Item } from "@konomana/http";

/** One lesson, its place in the course, and how far the learner has come. */
export type LectureLesson = Answer<"GET", "/api/lms/lesson/{id}/">;
/** What stands beside a lesson, to go to. */
export type LessonLink = NonNullable<LectureLesson["next"]>;
/** A chapter within a video. */
export type VideoMark = LectureLesson["marks"][number];
/** What is handed out with a lesson, and from which second on each of its pages is spoken about. */
export type Handout = LectureLesson["handouts"][number];
export type HandoutKind = Handout["kind"];

/** One playing of a lesson: where its parts lie until `expires_at`. */
export type Stream = Answer<"POST", "/api/lms/lesson/{id}/stream/">;

/** Where a hand-out lies: as a PDF, and each of its pages as a picture. */
export type HandoutFile = Stream["handouts"][number];

/** What was watched since the heartbeat before. */
export type Heartbeat = Required<Body<"POST", "/api/lms/lesson/{id}/beat/">> & {
  /** Intervals, each from one second to another. */
  watched: [number, number][];
};
/** How far the learner has come, after a heartbeat. */
export type WatchProgress = Answer<"POST", "/api/lms/lesson/{id}/beat/">;

/** What a learner wrote down at a second of a lesson. */
export type Note = Item<"/api/lms/note/">;
export type NotePage = Answer<"GET", "/api/lms/note/">;
