import type { EntryExam, CourseSummary, NoticeSummary, SuccessYear, TeacherSummary } from "../api";
import { schoolYears, subjects } from "@konomana/ui-base/art";
import { type CourseCardData, toCard } from "./courseData";

/** How many of each the front page shows. */
const FEATURED = 6;
const NOTICES = 4;
const EXAMS = 4;
const TEACHERS = 6;

/** The subjects that are taught in one school year. */
export interface YearShelf {
  readonly school_year: string;
  readonly categories: readonly { readonly name: string; readonly count: number }[];
}

/** What the front page says of the catalogue. */
export interface Shelves {
  readonly count: number;
  readonly lesson_count: number;
  /** All lessons together, in seconds. */
  readonly duration_sum: number;
  readonly shelves: readonly YearShelf[];
  readonly featured: readonly CourseCardData[];
}

/** Some of those who teach. */
export type Faces = readonly Pick<TeacherSummary, "id" | "name" | "subjects">[];

/** What the front page says of the school. */
export interface News {
  /** Pinned ones first, then the newest. */
  readonly notices: readonly Pick<NoticeSummary, "id" | "category" | "title" | "published_at">[];
  /** The next entrance exams, by date. */
  readonly exams: readonly Pick<EntryExam, "id" | "prefecture" | "name" | "exam_on">[];
  /** The figures of the newest year; null where no year is told of. */
  readonly success: Pick<SuccessYear, "year" | "as_of" | "figures"> | null;
}

export type HomeData = Shelves & News & { readonly teachers: Faces };

/** What the school tells, as the front page makes its news from. */
export interface Told {
  readonly notices: readonly NoticeSummary[];
  /** The newest year first. */
  readonly success: readonly SuccessYear[];
  readonly entryExams: readonly EntryExam[];
}

export function homeData(
  courses: readonly CourseSummary[],
  teachers: readonly TeacherSummary[],
  told: Told,
  now: Date,
): HomeData {
  return {
    ...shelvesOf(courses.map(toCard)),
    teachers: teachers
      .slice(0, TEACHERS)
      .map(({ id, name, subjects: taught }) => ({ id, name, subjects: taught })),
    ...newsOf(told, now),
  };
}

const tokyoDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" });

export function newsOf({ notices, success, entryExams }: Told, now: Date): News {
  // As `2026-11-21`, which sorts as the days do.
  const today = tokyoDay.format(now);
  const [year] = success;
  return {
    notices: notices
      .slice(0, NOTICES)
      .map(({ id, category, title, published_at }) => ({ id, category, title, published_at })),
    exams: entryExams
      .filter(({ exam_on }) => exam_on >= today)
      .slice(0, EXAMS)
      .map(({ id, prefecture, name, exam_on }) => ({ id, prefecture, name, exam_on })),
    success:
      year === undefined ? null : { year: year.year, as_of: year.as_of, figures: year.figures },
  };
}

/** Every figure is counted, none is written down. */
export function shelvesOf(courses: readonly CourseCardData[]): Shelves {
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
