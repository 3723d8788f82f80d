/** What my page shows of a learner's study, as the API's document describes it. Times of a video are in seconds. */
import type { Answer } from "@konomana/http";

export type RecentPage = Answer<"GET", "/api/lms/recent/">;
/** A lesson that somebody has watched, and how far. */
export type RecentLesson = RecentPage["results"][number];

/** The last seven days, today last, and how many in a row there was something watched. */
export type StudyWeek = Answer<"GET", "/api/lms/week/">;
/** One day of study, which begins at 04:00 in Tokyo. */
export type StudyDay = StudyWeek["days"][number];
