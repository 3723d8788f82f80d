import { call, everyPage, pageKey } from "@konomana/http";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { FRESH_MS } from "./fresh";
import { markKeys } from "./learnerKeys";
import type { MarkKind } from "./learnerTypes";

/**
 * Sets (PUT) or removes (DELETE) a mark. Both are idempotent. A mark shows at once, so the request
 * survives leaving the page.
 */
export function setMark(kind: MarkKind, id: number, on: boolean): Promise<undefined> {
  const method = on ? "PUT" : "DELETE";
  const keepalive = true;
  if (kind === "bookmark")
    return call(method, "/api/lms/bookmark/{course}/", { params: { course: id }, keepalive });
  return call(method, `/api/lms/${kind}/{lesson}/`, { params: { lesson: id }, keepalive });
}

/** One page of the bookmarked courses, newest first. */
export const bookmarkQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: markKeys.page("bookmark", pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/bookmark/", { query: { page }, link, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Favorite lessons, newest first; only those of `course` if it is given. */
export const favoriteQuery = (
  { course, page = 1 }: { course?: number; page?: number } = {},
  link?: string | null,
) => {
  const query = { lesson__unit__chapter__course: course, page };
  return queryOptions({
    queryKey: markKeys.page("favorite", pageKey(query, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/favorite/", { query, link, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });
};

/** Checked lessons, newest first. */
export const checkQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: markKeys.page("check", pageKey({ page }, link)),
    queryFn: ({ signal }) => call("GET", "/api/lms/check/", { query: { page }, link, signal }),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** The ids of every marked lesson of one course. */
export const courseMarksQuery = (kind: "favorite" | "check", course: number) =>
  queryOptions({
    queryKey: markKeys.ofCourse(kind, course),
    queryFn: async ({ signal }) => {
      const query = { lesson__unit__chapter__course: course };
      const marks = await everyPage((link) =>
        call("GET", `/api/lms/${kind}/`, { query, link, signal }),
      );
      return marks.map(({ lesson }) => lesson.id);
    },
    staleTime: FRESH_MS,
  });

/** The ids of every bookmarked course. */
export const bookmarkedCoursesQuery = queryOptions({
  queryKey: markKeys.courses,
  queryFn: async ({ signal }) => {
    const bookmarks = await everyPage((link) =>
      call("GET", "/api/lms/bookmark/", { link, signal }),
    );
    return bookmarks.map((bookmark) => bookmark.course.id);
  },
  staleTime: FRESH_MS,
});
