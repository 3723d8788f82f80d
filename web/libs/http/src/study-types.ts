/** What my page shows of a learner's study, as the edge's API document describes it. Times of a video are in seconds. */
import type { Ok } from "./of-schema";
import type { paths } from "./schema";

export type RecentPage = Ok<paths["/api/lms/recent/"]["get"]>;
/** A lesson that somebody has watched, and how far. */
export type RecentLesson = RecentPage["results"][number];

/** The last seven days, today last, and how many in a row there was something watched. */
export type StudyWeek = Ok<paths["/api/lms/week/"]["get"]>;
/** One day of study, which begins at 04:00 in Tokyo. */
export type StudyDay = StudyWeek["days"][number];

/** Where the hand-outs of a whole course lie in one file, until `expires_at`. */
export interface Bundle {
  url: string;
  expires_at: string;
}
