import type {
  HitKind,
  HitPage,
  Suggestions,
  Teacher,
  TeacherPage,
  Voices,
} from "./catalogue-types";
import { sendPublic } from "./transport/send";
import type { Course, CoursePage } from "./types";
import { type Query, toQuery } from "./toQuery";

type Signal = AbortSignal | undefined;

const get = <Answer>(path: string, query: Query, signal: Signal) =>
  sendPublic<Answer>({ method: "GET", url: `/api/${path}${toQuery(query)}`, signal });

/** What the catalogue can be asked for: any of the school years, subjects and levels, and every word. */
export interface CourseQuery {
  school_year?: readonly string[];
  category?: readonly string[];
  level?: readonly string[];
  /** Whole yen. */
  price_min?: number;
  price_max?: number;
  q?: string;
  sort?: "recommended" | "new" | "price" | "-price" | "duration";
  page?: number;
}

/** The public shelf: courses with their prices, teachers, voices, and the search over all of it. */
export const catalogue = {
  courses: (query: CourseQuery, signal?: Signal) =>
    get<CoursePage>("lms/course/", { ...query }, signal),

  course: (id: number, signal?: Signal) => get<Course>(`lms/course/${id}/`, {}, signal),

  /** By kana. */
  teachers: (page: number, signal?: Signal) => get<TeacherPage>("lms/teacher/", { page }, signal),

  teacher: (id: number, signal?: Signal) => get<Teacher>(`lms/teacher/${id}/`, {}, signal),

  /** Who speaks of a course. */
  voices: (course: number, signal?: Signal) =>
    get<Voices>("desk/success/voice/", { course }, signal),

  /** Without a kind up to five results of each; `q` has 1 to 100 characters. */
  search: (query: { q: string; kind?: HitKind; page?: number }, signal?: Signal) =>
    get<HitPage>("search/", { ...query }, signal),

  /** What could be meant by what has been typed so far. */
  suggest: (q: string, signal?: Signal) => get<Suggestions>("search/suggest/", { q }, signal),
};
