import type {
  CourseFacets,
  CourseSummary,
  CoursePage,
  Course,
  Teacher,
  TeacherSummary,
} from "../api";
import type { CourseFilters } from "@konomana/paths";

/** How many courses a page of the catalogue holds; the API decides it. */
export const PAGE_SIZE = 24;
/** How many teachers a page of theirs holds; the API decides it. */
export const TEACHERS_PAGE_SIZE = 20;

/** What a card shows of a course; durations are in seconds. */
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

/** Leaves out what a card does not show: a page carries the data of all its cards. */
export function toCard(course: CourseSummary): CourseCardData {
  const { id, name, category, school_year, level, summary } = course;
  const { duration_sum, lesson_count, teacher, product } = course;
  const what = { id, name, category, school_year, level, summary };
  return { ...what, duration_sum, lesson_count, teacher, product };
}

/** One page of the catalogue, narrowed to the filters. */
export interface CourseList {
  readonly filters: CourseFilters;
  readonly count: number;
  /** From 1; an empty list has one page. */
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

/** How many pages a list fills; an empty one has one. */
export function pagesOf(count: number, size: number): number {
  return Math.max(1, Math.ceil(count / size));
}

/** The facets of courses that nothing narrows: how many there are of each value. */
export function facetsOf(courses: readonly CourseCardData[]): CourseFacets {
  const count = (name: keyof CourseFacets) =>
    [...new Set(courses.map((course) => course[name]))].map((value) => ({
      value,
      count: courses.filter((course) => course[name] === value).length,
    }));
  return { school_year: count("school_year"), category: count("category"), level: count("level") };
}

/** A course and who teaches it; null where the teacher could not be asked for. */
export interface CourseData {
  readonly course: Course;
  readonly teacher: TeacherSummary | null;
}

/** One page of the teachers, by kana. */
export interface TeacherList {
  readonly page: number;
  readonly pages: number;
  readonly teachers: readonly TeacherSummary[];
}

/** What a card shows of a teacher. */
export function toTeacherCard(teacher: Teacher): TeacherSummary {
  const { id, name, kana, subjects: taught, message } = teacher;
  return { id, name, kana, subjects: taught, message };
}
