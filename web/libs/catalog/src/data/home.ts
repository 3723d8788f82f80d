import type { EntryExam, Home, NoticeSummary, SuccessYear, TeacherSummary } from "../api";
import type { ExamCard } from "@konomana/exam-card";
import { type CourseCardData, toCard } from "./courseData";

/** How many of each the front page shows. */
const NOTICES = 4;
const EXAMS = 4;

/** How long a front page is fresh, in milliseconds. A fresh page makes no call to the API. */
const FRESH_MS = 60 * 60_000;

/** The subjects that are taught in one school year. */
export interface YearShelf {
  readonly school_year: string;
  readonly categories: readonly { readonly name: string; readonly count: number }[];
}

/** The front page's part of the catalogue. */
export interface Shelves {
  readonly count: number;
  readonly lesson_count: number;
  /** Total length of all lessons, in seconds. */
  readonly duration_sum: number;
  readonly shelves: readonly YearShelf[];
  readonly featured: readonly CourseCardData[];
  /**
   * The first featured course with a sample lesson that needs no account; null if there is none.
   */
  readonly sample: number | null;
  /** Days of use of a featured course after purchase; null if unlimited or not on sale. */
  readonly period_days: number | null;
  /** Some of the teachers. */
  readonly teachers: readonly Pick<TeacherSummary, "id" | "name" | "subjects">[];
}

/** The fields of a mock exam that the front page shows. */
export type NextMockExam = Pick<
  ExamCard,
  | "name"
  | "school_year"
  | "starts_at"
  | "application_closes_at"
  | "product_id"
  | "price"
  | "seats_left"
>;

/** The front page's part of the school's news. */
export interface News {
  /** Pinned ones first, then the newest. */
  readonly notices: readonly Pick<NoticeSummary, "id" | "category" | "title" | "published_at">[];
  /** The next entrance exams, by date. */
  readonly exams: readonly Pick<EntryExam, "id" | "prefecture" | "name" | "exam_on">[];
  /** The next mock exam that is open for application; absent if there is none. */
  readonly mockExam?: NextMockExam | undefined;
  /** The figures of the newest year; null if there are none. */
  readonly success: Pick<SuccessYear, "year" | "as_of" | "figures"> | null;
}

export interface HomeData extends Shelves, News {
  /** When the data was read, in milliseconds since 1970. */
  readonly as_of: number;
}

/** Whether a front page read at `as_of` is still fresh. */
export function isFresh(as_of: number, now = Date.now()): boolean {
  return now - as_of < FRESH_MS;
}

/** The data of the school from which the front page makes its news. */
export interface NewsSource {
  readonly notices: readonly NoticeSummary[];
  /** The newest year first. */
  readonly success: readonly SuccessYear[];
  readonly entryExams: readonly EntryExam[];
  /** The mock exams that have not ended, soonest first. */
  readonly exams: readonly ExamCard[];
}

export function homeData(home: Home, source: NewsSource, now: Date): HomeData {
  return { as_of: now.getTime(), ...shelvesOf(home), ...newsOf(source, now) };
}

/** Computes the front page's figures by counting. */
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

export function newsOf({ notices, success, entryExams, exams }: NewsSource, now: Date): News {
  // As `2026-11-21`, so that text order is date order.
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
