/**
 * Types of a learner's study on my page, from the API document. Times of a video are in seconds.
 */
import type { Answer } from "@konomana/http";

export type RecentPage = Answer<"GET", "/api/lms/recent/">;
/** A watched lesson with the position. */
export type RecentLesson = RecentPage["results"][number];

/** The last seven days, today last, and the current streak of days with watching. */
export type StudyWeek = Answer<"GET", "/api/lms/week/">;
/** One learning day, which begins at 04:00 in Tokyo. */
export type StudyDay = StudyWeek["days"][number];
