/** What my page shows of a learner's study, as the edge's API answers it. Times of a video are in seconds. */

/** What is named, and where to find it. */
interface Named {
  id: number;
  name: string;
}

/** One page of a list. */
interface Page<Row> {
  count: number;
  next: string | null;
  previous: string | null;
  results: Row[];
}

/** A lesson that somebody has watched, and how far. */
export interface RecentLesson {
  lesson: Named & { duration: number };
  course: Named;
  /** Where they were last. */
  position: number;
  /** Seconds really watched, each counted once. */
  covered: number;
  is_check: boolean;
  is_expired: boolean;
  last_seen: string;
}

export type RecentPage = Page<RecentLesson>;

/** One day of study, which begins at 04:00 in Tokyo. */
export interface StudyDay {
  /** `2026-11-21`. */
  date: string;
  /** Seconds really watched. */
  seconds: number;
}

/** The last seven days, today last. */
export interface StudyWeek {
  days: StudyDay[];
  /** How many days in a row there was something watched. */
  streak: number;
  today: string;
}

/** Where the hand-outs of a whole course lie in one file, until `expires_at`. */
export interface Bundle {
  url: string;
  expires_at: string;
}
