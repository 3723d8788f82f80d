import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "./api";
import { sendSignedIn } from "./transport/send";
import type { HandoutKind, NotePage } from "./lecture-types";
import { PERSONAL } from "./queries";
import type { Bundle, RecentLesson, RecentPage, StudyWeek } from "./study-types";
import { toQuery } from "./toQuery";

type Signal = AbortSignal | undefined;

const LMS = "/api/lms";

const get = <Answer>(path: string, signal: Signal) =>
  sendSignedIn<Answer>({ method: "GET", url: `${LMS}/${path}`, signal });

/** The calls of my page around a learner's study. Failures are `ApiError`s. */
export const study = {
  /** Watched lessons, the last one first; of one course where `course` is given. */
  recent: (query: { course?: number; page?: number }, signal?: Signal) =>
    get<RecentPage>(`recent/${toQuery(query)}`, signal),

  /** The learner's notes, the newest first; those with each word of `q` where it is given. */
  notes: (query: { q: string; page: number }, signal?: Signal) =>
    get<NotePage>(`note/${toQuery(query)}`, signal),

  week: (signal?: Signal) => get<StudyWeek>("week/", signal),

  /** The hand-outs of a whole course; the link is for the learner alone. */
  bundle: (item: number, kind: HandoutKind) =>
    get<Bundle>(`inventory/${item}/bundle/${kind}/`, undefined),
};

/** Watching goes on between two looks at my page, so what it changes is asked anew each time. */
const WATCHED = { staleTime: 0, placeholderData: keepPreviousData };

/** Lessons last watched first. Give the `next` or `previous` link where one led here: it is followed. */
export const recentQuery = (page = 1, link?: string | null) =>
  queryOptions({
    queryKey: [...PERSONAL, "recent", { page }],
    queryFn: ({ signal }) =>
      link ? api.follow<RecentPage>(link, signal) : study.recent({ page }, signal),
    ...WATCHED,
  });

/** Every watched lesson of one course, the last one first: the pages are followed to their end. */
export const watchedInQuery = (course: number) =>
  queryOptions({
    queryKey: [...PERSONAL, "recent", { course: String(course) }],
    queryFn: async ({ signal }): Promise<RecentLesson[]> => {
      let page = await study.recent({ course }, signal);
      const watched = [...page.results];
      while (page.next) {
        page = await api.follow<RecentPage>(page.next, signal);
        watched.push(...page.results);
      }
      return watched;
    },
    staleTime: 0,
  });

/** What was watched on each of the last seven days. */
export const weekQuery = queryOptions({
  queryKey: [...PERSONAL, "week"],
  queryFn: ({ signal }) => study.week(signal),
  staleTime: 0,
});

/** The learner's notes of all lessons, the newest first; those with each word of `q`. */
export const notesQuery = (
  { q = "", page = 1 }: { q?: string; page?: number } = {},
  link?: string | null,
) =>
  queryOptions({
    queryKey: [...PERSONAL, "note", { q, page }],
    queryFn: ({ signal }) =>
      link ? api.follow<NotePage>(link, signal) : study.notes({ q, page }, signal),
    ...WATCHED,
  });
