import { type Answer, call, PERSONAL } from "@konomana/http";
import { findRefetchInterval } from "@konomana/query";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

/** The learner's classes, and one week of them. */
export type ClassWeek = Answer<"GET", "/api/lms/class/">;
export type LearnerClass = ClassWeek["classes"][number];
export type LiveLesson = ClassWeek["lessons"][number];

/** The prefix of every query of this library. */
export const classKey = [...PERSONAL, "class"] as const;

/** The week of a day, or without one, this week. */
export const classWeekQuery = (day?: string) =>
  queryOptions({
    queryKey: [...classKey, day ?? null],
    queryFn: ({ signal }) => call("GET", "/api/lms/class/", { query: { day }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
    refetchInterval: ({ state }) =>
      findRefetchInterval(state.data && findNextLesson(state.data)?.starts_at),
    // The shown week stays until the next one is loaded, so the links keep the focus.
    placeholderData: keepPreviousData,
  });

/** The soonest of the next lessons of all classes. */
export function findNextLesson({ classes }: ClassWeek): LiveLesson | undefined {
  const next = classes.flatMap(({ next_lesson }) => next_lesson ?? []);
  return next.toSorted((one, other) => Date.parse(one.starts_at) - Date.parse(other.starts_at))[0];
}

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
