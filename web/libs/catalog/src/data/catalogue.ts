import type { CourseSummary } from "@konomana/api";
import type { CourseFilters } from "@konomana/paths";
import { schoolYears, subjects } from "@konomana/ui/art";

/** How many courses a page of the catalogue holds; the API decides it. */
export const PAGE_SIZE = 24;
/** How many courses the front page shows. */
const FEATURED = 6;

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
>;

/** Leaves out what a card does not show: a page carries the data of all its cards. */
export function toCard(course: CourseSummary): CourseCardData {
  const { id, name, category, school_year, level, summary, duration_sum, lesson_count, teacher } =
    course;
  return { id, name, category, school_year, level, summary, duration_sum, lesson_count, teacher };
}

/** The subjects that are taught in one school year. */
export interface YearShelf {
  readonly school_year: string;
  readonly categories: readonly { readonly name: string; readonly count: number }[];
}

export interface HomeData {
  readonly count: number;
  readonly lesson_count: number;
  /** All lessons together, in seconds. */
  readonly duration_sum: number;
  readonly shelves: readonly YearShelf[];
  readonly featured: readonly CourseCardData[];
}

/** What the front page says of the catalogue. Every figure is counted, none is written down. */
export function homeData(courses: readonly CourseCardData[]): HomeData {
  const shelves = schoolYears
    .map((school_year) => ({
      school_year,
      categories: subjects
        .map(({ name }) => ({
          name,
          count: courses.filter(
            (course) => course.school_year === school_year && course.category === name,
          ).length,
        }))
        .filter(({ count }) => count > 0),
    }))
    .filter(({ categories }) => categories.length > 0);
  return {
    count: courses.length,
    lesson_count: courses.reduce((sum, course) => sum + course.lesson_count, 0),
    duration_sum: courses.reduce((sum, course) => sum + course.duration_sum, 0),
    shelves,
    featured: varied(courses).slice(0, FEATURED),
  };
}

/** The same courses, each subject's first one in front, so that a short list shows them all. */
function varied(courses: readonly CourseCardData[]): CourseCardData[] {
  const seen = new Set<string>();
  const first: CourseCardData[] = [];
  const rest: CourseCardData[] = [];
  for (const course of courses) {
    (seen.has(course.category) ? rest : first).push(course);
    seen.add(course.category);
  }
  return [...first, ...rest];
}

export type ListFilters = CourseFilters;

/** One page of the catalogue, narrowed to the filters. */
export interface CourseList {
  readonly filters: ListFilters;
  readonly count: number;
  /** From 1; an empty list has one page. */
  readonly pages: number;
  readonly courses: readonly CourseCardData[];
}

export function listData(
  filters: ListFilters,
  count: number,
  courses: readonly CourseCardData[],
): CourseList {
  return { filters, count, pages: Math.max(1, Math.ceil(count / PAGE_SIZE)), courses };
}

/**
 * The filters that an address asks for; null when its page is not a whole number from 1, which no
 * link of the site writes.
 */
export function readFilters(search: URLSearchParams): ListFilters | null {
  const page = search.get("page") ?? "1";
  if (!/^[1-9]\d{0,8}$/.test(page)) return null;
  return {
    ...(search.get("school_year") ? { school_year: search.get("school_year") ?? "" } : {}),
    ...(search.get("category") ? { category: search.get("category") ?? "" } : {}),
    ...(page === "1" ? {} : { page: Number(page) }),
  };
}
