import { loadExams } from "@konomana/exam-card/api";
import { callPublic } from "@konomana/http";
import type { CourseFilters } from "@konomana/paths";
import type { CourseQuery, HitKind } from "./catalogTypes";

/**
 * Public calls: courses with their prices, teachers, testimonials, and search. Failures are
 * `ApiError`s.
 */
export const catalogue = {
  /** One page of courses; `query` has the filters that `readFilters` returns. */
  courses: (query: CourseFilters, signal?: AbortSignal) =>
    callPublic("GET", "/api/lms/course/", { query: query as CourseQuery, signal }),

  /** The front page's part of the catalogue. */
  home: (signal?: AbortSignal) => callPublic("GET", "/api/lms/home/", { signal }),

  course: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/lms/course/{id}/", { params: { id }, signal }),

  /** Ordered by kana. */
  teachers: (page: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/lms/teacher/", { query: { page }, signal }),

  teacher: (id: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/lms/teacher/{id}/", { params: { id }, signal }),

  /** Testimonials of a course. */
  voices: (course: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/success/voice/", { query: { course }, signal }),

  /** Without a kind, up to five results of each; `q` has 1 to 100 characters. */
  search: (query: { q: string; kind?: HitKind; page?: number }, signal?: AbortSignal) =>
    callPublic("GET", "/api/search/", { query, signal }),

  /** Suggestions for the text typed so far. */
  suggest: (q: string, signal?: AbortSignal) =>
    callPublic("GET", "/api/search/suggest/", { query: { q }, signal }),

  notices: (signal?: AbortSignal) => callPublic("GET", "/api/desk/notice/", { signal }),

  success: (year: number, signal?: AbortSignal) =>
    callPublic("GET", "/api/desk/success/{year}/", { params: { year }, signal }),

  /** The mock exams that have not ended, soonest first. */
  mockExams: loadExams,

  entryExams: (signal?: AbortSignal) => callPublic("GET", "/api/desk/entry-exam/", { signal }),
};
