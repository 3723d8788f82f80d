import { type Answer, call, PERSONAL } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** The learner's classes, and one week of them. */
export type ClassWeek = Answer<"GET", "/api/lms/class/">;
export type LearnerClass = ClassWeek["classes"][number];
export type LiveLesson = ClassWeek["lessons"][number];

/** The prefix of every query of this library. */
export const classKey = [...PERSONAL, "class"] as const;

/** How often the page is fetched again, so that the link to join appears in time. */
export const AGAIN_MS = 20_000;

/** The week of a day, or without one, this week. */
export const classWeekQuery = (day?: string) =>
  queryOptions({
    queryKey: [...classKey, day ?? null],
    queryFn: ({ signal }) => call("GET", "/api/lms/class/", { query: { day }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) => (state.data?.classes.length ? AGAIN_MS : false),
    // The week before stays on screen, so that the links keep the focus.
    placeholderData: keepPreviousData,
  });

/** All live lessons of a class. */
export function findLiveLessons(id: number) {
  return call("GET", "/api/lms/class/{id}/lesson/", { params: { id } });
}

/** Survives leaving the page, which the meeting may replace. */
export function recordAttendance(id: number) {
  return call("PUT", "/api/lms/live-lesson/{id}/attendance/", {
    params: { id },
    keepalive: true,
  });
}

/**
 * Marks the homework of a live lesson as done, or removes the mark. It shows at once, so the request
 * survives leaving the page.
 */
export function markHomework(id: number, isDone: boolean) {
  return call(isDone ? "PUT" : "DELETE", "/api/lms/live-lesson/{id}/homework/", {
    params: { id },
    keepalive: true,
  });
}

/** The number and the title of a lesson: `第3回 一次関数`. */
export function formatLessonTitle({ number, title }: Pick<LiveLesson, "number" | "title">): string {
  return title === "" ? `第${number}回` : `第${number}回 ${title}`;
}
