/** What a lesson's player works with, as the edge's API answers it. Times of a video are in seconds. */
import type { Body, Made, Ok } from "./of-schema";
import type { paths } from "./schema";

/** One lesson, its place in the course, and how far the learner has come. */
export type LectureLesson = Ok<paths["/api/lms/lesson/{id}/"]["get"]>;
/** What stands beside a lesson, to go to. */
export type LessonLink = NonNullable<LectureLesson["next"]>;
/** How far somebody has watched a lesson. */
export type Watch = NonNullable<LectureLesson["watch"]>;
/** A chapter within a video. */
export type VideoMark = LectureLesson["marks"][number];
/** What is handed out with a lesson, and from which second on each of its pages is spoken about. */
export type Handout = LectureLesson["handouts"][number];
export type HandoutKind = Handout["kind"];

/** One playing of a lesson: where its parts lie until `expires_at`. */
export type Stream = Made<paths["/api/lms/lesson/{id}/stream/"]["post"]>;

/** Where a hand-out lies: as a PDF, and each of its pages as a picture. */
export type HandoutFile = Stream["handouts"][number];
/** Where the hand-outs of a lesson lie that is not played. */
export type HandoutFiles = Ok<paths["/api/lms/lesson/{id}/handout/"]["get"]>;

/** What was watched since the beat before; each stretch from one second to another. */
export type Beat = Required<Body<paths["/api/lms/lesson/{id}/beat/"]["post"]>> & {
  watched: [number, number][];
};
/** How far the learner has come, after a beat. */
export type Watched = Ok<paths["/api/lms/lesson/{id}/beat/"]["post"]>;

export type NotePage = Ok<paths["/api/lms/note/"]["get"]>;
/** What a learner wrote down at a second of a lesson. */
export type Note = NotePage["results"][number];
