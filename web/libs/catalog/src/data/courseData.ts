import type {
  CourseFacets,
  CourseSummary,
  CoursePage,
  Course,
  Teacher,
  TeacherSummary,
} from "../api";
import type { CourseFilters } from "@konomana/paths";

/** Courses on one page of the catalogue; the API decides it. */
export const PAGE_SIZE = 24;
/** Teachers on one page of their list; the API decides it. */
export const TEACHERS_PAGE_SIZE = 20;

/** The fields of a course that a card shows; durations are in seconds. */
export type CourseCardData = Pick<
  CourseSummary,
  | "id"
  | "name"
  | "category"
  | "school_year"
  | "level"
  | "summary"
  | "duration_sum"
  | "lesson_count"
  | "teacher"
  | "product"
>;

/** Drops the fields that a card does not show, because a page carries the data of all its cards. */
export function toCard(course: CourseSummary): CourseCardData {
  const { id, name, category, school_year, level, summary } = course;
  const { duration_sum, lesson_count, teacher, product } = course;
  const what = { id, name, category, school_year, level, summary };
  return { ...what, duration_sum, lesson_count, teacher, product };
}

/** One page of the filtered catalogue. */
export interface CourseList {
  readonly filters: CourseFilters;
  readonly count: number;
  /** Number of pages; an empty list has one. */
  readonly pages: number;
  readonly facets: CourseFacets;
  readonly courses: readonly CourseCardData[];
}

export function listData(
  filters: CourseFilters,
  { count, facets, results }: Omit<CoursePage, "next" | "previous">,
): CourseList {
  return { filters, count, pages: pagesOf(count, PAGE_SIZE), facets, courses: results.map(toCard) };
}

/** Number of pages of a list; an empty list has one. */
export function pagesOf(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}

/** The facets of an unfiltered list: the number of courses for each value. */
export function facetsOf(courses: readonly CourseCardData[]): CourseFacets {
  const count = (name: keyof CourseFacets) =>
    [...new Set(courses.map((course) => course[name]))].map((value) => ({
      value,
      count: courses.filter((course) => course[name] === value).length,
    }));
  return { school_year: count("school_year"), category: count("category"), level: count("level") };
}

/** A course with its teacher; null if the teacher could not be fetched. */
export interface CourseData {
  readonly course: Course;
  readonly teacher: TeacherSummary | null;
}

/** One page of the teachers, ordered by kana. */
export interface TeacherList {
  readonly page: number;
  readonly pages: number;
  readonly teachers: readonly TeacherSummary[];
}

/** Keeps the fields of a teacher that a card shows. */
export function toTeacherCard(teacher: Teacher): TeacherSummary {
  const { id, name, kana, subjects: taught, message } = teacher;
  return { id, name, kana, subjects: taught, message };
}
