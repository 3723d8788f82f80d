/** What a lesson's player works with, as the edge's API answers it. Times of a video are in seconds. */

/** What stands beside a lesson, to go to. */
export interface LessonLink {
  id: number;
  name: string;
  duration: number;
}

interface Named {
  id: number;
  name: string;
}

/** How far somebody has watched a lesson. */
export interface Watch {
  /** Where they were last. */
  position: number;
  furthest: number;
  /** Seconds really watched, each counted once. */
  covered: number;
  times: number;
  last_seen: string;
}

/** A chapter within a video. */
export interface VideoMark {
  at: number;
  name: string;
}

export type HandoutKind = "textbook" | "whiteboard";

/** What is handed out with a lesson, and from which second on each of its pages is spoken about. */
export interface Handout {
  kind: HandoutKind;
  page_count: number;
  pages: { page: number; at: number }[];
}

/** One lesson, its place in the course, and how far the learner has come. */
export interface LectureLesson {
  id: number;
  name: string;
  summary: string;
  duration: number;
  course: Named;
  chapter: Named;
  unit: Named;
  inventory_id: number;
  /** What is bought to watch it again; null where nobody can buy it any more. */
  product_id: number | null;
  /** Its place in the course, from 1. */
  number: number;
  lesson_count: number;
  previous: LessonLink | null;
  next: LessonLink | null;
  is_expired: boolean;
  expire_at: string | null;
  is_favorite: boolean;
  is_check: boolean;
  watch: Watch | null;
  marks: VideoMark[];
  handouts: Handout[];
  has_video: boolean;
  question_count: number;
}

/** One playing of a lesson: where its parts lie until `expires_at`. */
export interface Stream {
  stream: string;
  playlist: string;
  captions: string;
  poster: string;
  handouts: { kind: HandoutKind; url: string }[];
  expires_at: string;
}

/** What was watched since the beat before. */
export interface Beat {
  /** Grows from beat to beat; the newest one tells the position. */
  sequence: number;
  position: number;
  /** Stretches really watched, each from one second to another. */
  watched: [number, number][];
  stream: string | null;
}

/** How far the learner has come, after a beat. */
export interface Watched {
  position: number;
  furthest: number;
  covered: number;
  is_check: boolean;
  is_done: boolean;
}

/** What a learner wrote down at a second of a lesson. */
export interface Note {
  id: string;
  lesson: Named;
  course: Named;
  at: number;
  text: string;
  created: string;
  modified: string;
}

export interface NotePage {
  count: number;
  next: string | null;
  previous: string | null;
  results: Note[];
}
