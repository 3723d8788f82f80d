import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "./api";
import type { BookmarkPage, InventoryList, Mark, MarkPage } from "./types";

/** Everything that belongs to one person lies under this key, and goes away with the session. */
export const PERSONAL = ["personal"] as const;

/** Marks and progress change on this screen and on others; a minute keeps page changes quiet. */
const FRESH_MS = 60_000;

interface MarksOf {
  course?: number | string;
  page?: number;
}

export const userQuery = queryOptions({
  queryKey: [...PERSONAL, "user"],
  queryFn: ({ signal }) => api.user(signal),
  staleTime: Infinity,
});

/** One page of 所有講座. Give the `next` or `previous` link where one led here: it is followed. */
export const inventoryQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "inventory", { page }],
    queryFn: ({ signal }) =>
      link ? api.follow<InventoryList>(link, signal) : api.inventory(page, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

export const inventoryItemQuery = (id: number | string) =>
  queryOptions({
    queryKey: [...PERSONAL, "inventory-item", String(id)],
    queryFn: ({ signal }) => api.inventoryItem(id, signal),
    staleTime: FRESH_MS,
  });

export const bookmarkQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "bookmark", { page }],
    queryFn: ({ signal }) =>
      link ? api.follow<BookmarkPage>(link, signal) : api.bookmarks(page, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Starred lessons, newest first; of one course where `course` is given. */
export const favoriteQuery = ({ course, page = 1 }: MarksOf = {}, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "favorite", { course: course ? String(course) : null, page }],
    queryFn: ({ signal }) =>
      link ? api.follow<MarkPage>(link, signal) : api.favorites({ course, page }, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Checked lessons, newest first; of one course where `course` is given. */
export const checkQuery = ({ course, page = 1 }: MarksOf = {}, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "check", { course: course ? String(course) : null, page }],
    queryFn: ({ signal }) =>
      link ? api.follow<MarkPage>(link, signal) : api.checks({ course, page }, signal),
    staleTime: FRESH_MS,
    placeholderData: keepPreviousData,
  });

/** Every marked lesson of one course, by lesson id: the pages are followed to their end. */
export const courseMarksQuery = (kind: "favorite" | "check", course: number) =>
  queryOptions({
    queryKey: [...PERSONAL, kind, { course: String(course), page: "all" }],
    queryFn: async ({ signal }) => {
      const list = kind === "favorite" ? api.favorites : api.checks;
      const marks: Mark[] = [];
      let page = await list({ course }, signal);
      marks.push(...page.results);
      while (page.next) {
        page = await api.follow<MarkPage>(page.next, signal);
        marks.push(...page.results);
      }
      return marks.map((mark) => mark.lesson.id);
    },
    staleTime: FRESH_MS,
  });

/** Every bookmarked course, by course id. */
export const bookmarkedCoursesQuery = queryOptions({
  queryKey: [...PERSONAL, "bookmark", { page: "all" }],
  queryFn: async ({ signal }) => {
    let page = await api.bookmarks(undefined, signal);
    const ids = page.results.map((bookmark) => bookmark.course.id);
    while (page.next) {
      page = await api.follow<BookmarkPage>(page.next, signal);
      ids.push(...page.results.map((bookmark) => bookmark.course.id));
    }
    return ids;
  },
  staleTime: FRESH_MS,
});

/** Maintenance windows that are active or begin within a day. */
export const maintenanceQuery = queryOptions({
  queryKey: ["maintenance"],
  queryFn: ({ signal }) => api.maintenance(signal),
});
