import type { EntryExam, Home, NoticeSummary, SuccessYear, TeacherSummary } from "../api";
import type { ExamCard } from "@konomana/exam-card";
import { type CourseCardData, toCard } from "./courseData";

/** How many of each the front page shows. */
const NOTICES = 4;
const EXAMS = 4;

/** How long a front page counts as current, in milliseconds. A younger one asks the API for nothing. */
const FRESH_MS = 60 * 60_000;

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
  /** A course with a lesson that can be watched without an account; null: none of the featured ones. */
  readonly sample: number | null;
  /** How long a featured course can be used once it is bought; null: without end, or not sold. */
  readonly period_days: number | null;
  /** Some of those who teach. */
  readonly teachers: readonly Pick<TeacherSummary, "id" | "name" | "subjects">[];
}

/** As much of a mock exam as the front page shows. */
export type NextMockExam = Pick<
  ExamCard,
  "name" | "school_year" | "starts_at" | "application_closes_at"
>;

/** What the front page says of the school. */
export interface News {
  /** Pinned ones first, then the newest. */
  readonly notices: readonly Pick<NoticeSummary, "id" | "category" | "title" | "published_at">[];
  /** The next entrance exams, by date. */
  readonly exams: readonly Pick<EntryExam, "id" | "prefecture" | "name" | "exam_on">[];
  /** The mock exam that can be applied for next; left out where there is none. */
  readonly mockExam?: NextMockExam | undefined;
  /** The figures of the newest year; null where no year is told of. */
  readonly success: Pick<SuccessYear, "year" | "as_of" | "figures"> | null;
}

export interface HomeData extends Shelves, News {
  /** When all this was so, in milliseconds since 1970. */
  readonly as_of: number;
}

/** Whether a front page that was right at a moment still counts as current. */
export function isFresh(as_of: number, now = Date.now()): boolean {
  return now - as_of < FRESH_MS;
}

/** What the school tells, as the front page makes its news from. */
export interface Told {
  readonly notices: readonly NoticeSummary[];
  /** The newest year first. */
  readonly success: readonly SuccessYear[];
  readonly entryExams: readonly EntryExam[];
  /** The mock exams that have not ended, soonest first. */
  readonly exams: readonly ExamCard[];
}

export function homeData(home: Home, told: Told, now: Date): HomeData {
  return { as_of: now.getTime(), ...shelvesOf(home), ...newsOf(told, now) };
}

/** Every figure is counted, none is written down. */
export function shelvesOf({ shelves, featured, teachers }: Home): Shelves {
  const sumOf = (name: "course_count" | "lesson_count" | "duration_sum") =>
    shelves.reduce((sum, shelf) => sum + shelf[name], 0);
  const years = new Set(shelves.map(({ school_year }) => school_year));
  return {
    count: sumOf("course_count"),
    lesson_count: sumOf("lesson_count"),
    duration_sum: sumOf("duration_sum"),
    shelves: [...years].map((school_year) => ({
      school_year,
      categories: shelves
        .filter((shelf) => shelf.school_year === school_year)
        .map(({ category, course_count }) => ({ name: category, count: course_count })),
    })),
    featured: featured.map(toCard),
    sample: featured.find(({ sample_video }) => sample_video !== null)?.id ?? null,
    period_days: featured.find(({ product }) => product !== null)?.product?.period_days ?? null,
    teachers: teachers.map(({ id, name, subjects }) => ({ id, name, subjects })),
  };
}

const tokyoDay = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Tokyo" });

export function newsOf({ notices, success, entryExams, exams }: Told, now: Date): News {
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
    mockExam: exams.find(({ application_closes_at: end }) => Date.parse(end) > now.getTime()),
    success:
      year === undefined ? null : { year: year.year, as_of: year.as_of, figures: year.figures },
  };
}
