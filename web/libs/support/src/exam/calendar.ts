import type { EntryExam } from "../api";

/** The `prefecture` of nationwide exams. */
export const EVERYWHERE = "全国";

/** The exams of one month, by day. */
export interface Month {
  /** Formatted like `2027-02`. */
  readonly month: string;
  readonly exams: readonly EntryExam[];
}

/** The prefectures with exams of their own, in the order of the list. */
export function prefecturesOf(exams: readonly EntryExam[]): string[] {
  return [...new Set(exams.map(({ prefecture }) => prefecture))].filter(
    (prefecture) => prefecture !== EVERYWHERE,
  );
}

/**
 * The exams of a prefecture by month, including nationwide ones. Without a prefecture, all exams.
 */
export function monthsOf(exams: readonly EntryExam[], prefecture: string | undefined): Month[] {
  const wanted = exams.filter(
    (exam) =>
      prefecture === undefined || exam.prefecture === prefecture || exam.prefecture === EVERYWHERE,
  );
  const byDay = wanted.toSorted((one, other) => one.exam_on.localeCompare(other.exam_on));
  return [...Map.groupBy(byDay, ({ exam_on }) => exam_on.slice(0, 7))].map(([month, own]) => ({
    month,
    exams: own,
  }));
}

/** Formats `2027-02` as 2027年2月. */
export function monthInWords(month: string): string {
  const [year, number] = month.split("-").map(Number);
  return `${year}年${number}月`;
}

const shortDay = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "UTC",
  month: "numeric",
  day: "numeric",
  weekday: "short",
});

/** Formats `2027-02-21` as 2/21(日). */
export function dayInWords(day: string): string {
  return shortDay.format(new Date(day));
}

/** The state of an exam on a day, in words. */
export interface ExamState {
  readonly words: string;
  readonly kind: "past" | "open" | "ahead";
}

/**
 * The state of an exam today. `null` if the day is unknown. Days are formatted like `2027-02-21`.
 */
export function stateOf(exam: EntryExam, today: string | null): ExamState | null {
  if (today === null) return null;
  if (exam.exam_on < today) return { words: "終了しました", kind: "past" };
  if (exam.apply_from <= today && today <= exam.apply_until)
    return { words: "出願受付中", kind: "open" };
  const days = Math.round((Date.parse(exam.exam_on) - Date.parse(today)) / 86_400_000);
  return { words: days === 0 ? "今日が試験日です" : `試験まであと${days}日`, kind: "ahead" };
}
