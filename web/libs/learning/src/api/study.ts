import { call, everyPage, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { recentKeys } from "@konomana/learner";
import { noteKeys, weekKey } from "./learningKeys";
import type { HandoutKind } from "./lecture-types";

/** Where the hand-outs of a whole course lie in one file, until `expires_at`; the link is for the learner alone. */
export function findBundle(item: number, kind: HandoutKind) {
  return call("GET", "/api/lms/inventory/{id}/bundle/{kind}/", { params: { id: item, kind } });
}

/** Watching goes on between two looks at my page, so what it changes is asked anew each time. */
const WATCHED = { staleTime: 0, placeholderData: keepPreviousData };

/** Lessons last watched first. Give the `next` or `previous` link where one led here: it is followed. */
export const recentQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: recentKeys.page(pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/recent/", { query: { page }, link, signal }),
    ...WATCHED,
  });

/** Every watched lesson of one course, the last one first. */
export const watchedInQuery = (course: number) =>
  queryOptions({
    queryKey: recentKeys.ofCourse(course),
    queryFn: ({ signal }) =>
      everyPage((link) => call("GET", "/api/lms/recent/", { query: { course }, link, signal })),
    staleTime: 0,
  });

/** What was watched on each of the last seven days. */
export const weekQuery = queryOptions({
  queryKey: weekKey,
  queryFn: ({ signal }) => call("GET", "/api/lms/week/", { signal }),
  staleTime: 0,
});

/** The learner's notes of all lessons, the newest first; those with each word of `q`. */
export const notesQuery = (
  { q = "", page = 1 }: { q?: string; page?: number } = {},
  link?: string | null,
) =>
  queryOptions({
    queryKey: noteKeys.page(pageKey({ q, page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/note/", { query: { q, page }, link, signal }),
    ...WATCHED,
  });
