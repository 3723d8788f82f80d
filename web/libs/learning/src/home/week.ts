import type { StudyDay } from "../api";

/** Whole minutes; any time above zero counts as at least one. */
export function minutesOf(seconds: number): number {
  return seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
}

const names = new Intl.DateTimeFormat("ja-JP", { timeZone: "UTC", weekday: "short" });
const longNames = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "UTC",
  month: "long",
  day: "numeric",
  weekday: "short",
});

/** The weekday of a learning day, `土`. */
export function weekdayOf({ date }: Pick<StudyDay, "date">): string {
  return names.format(new Date(date));
}

/** A learning day as text, `11月21日(土)`. */
export function dayInWords({ date }: Pick<StudyDay, "date">): string {
  return longNames.format(new Date(date));
}
