import { call, everyPage, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { recentKeys } from "@konomana/learner";
import { noteKeys, weekKey } from "./learningKeys";
import type { HandoutKind } from "./lecture-types";

/**
 * Gets the URL of one file with all hand-outs of a course, valid until `expires_at`. The link is
 * personal.
 */
export function findBundle(item: number, kind: HandoutKind) {
  return call("GET", "/api/lms/inventory/{id}/bundle/{kind}/", { params: { id: item, kind } });
}

/** Watching changes this data between visits to my page, so it is refetched every time. */
const WATCHED = { staleTime: 0, placeholderData: keepPreviousData };

/**
 * Lessons by last watched, newest first. A `next` or `previous` link is followed instead of the
 * page number.
 */
export const recentQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: recentKeys.page(pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/recent/", { query: { page }, link, signal }),
    ...WATCHED,
  });

/** Every watched lesson of one course, last watched first. */
export const watchedInQuery = (course: number) =>
  queryOptions({
    queryKey: recentKeys.ofCourse(course),
    queryFn: ({ signal }) =>
      everyPage((link) => call("GET", "/api/lms/recent/", { query: { course }, link, signal })),
    staleTime: 0,
  });

/** The time watched on each of the last seven days. */
export const weekQuery = queryOptions({
  queryKey: weekKey,
  queryFn: ({ signal }) => call("GET", "/api/lms/week/", { signal }),
  staleTime: 0,
});

/** The learner's notes of all lessons, newest first; `q` keeps those with each of its words. */
export const notesQuery = (
  { q = "", page = 1 }: { q?: string; page?: number } = {},
  link?: string | null,
) =>
  queryOptions({
    queryKey: noteKeys.page(pageKey({ q, page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/note/", { query: { q, page }, link, signal }),
    ...WATCHED,
  });
