import { withHyphens } from "./text";

/** A calendar date, without a time or a time zone. */
export interface Day {
  year: number;
  month: number;
  day: number;
}

const YOUNGEST = 6;
const OLDEST = 120;
/** Below this age a guardian has to consent. */
const OF_AGE = 18;

const tokyo = new Intl.DateTimeFormat("en-US", {
  timeZone: "Asia/Tokyo",
  year: "numeric",
  month: "numeric",
  day: "numeric",
});

/** Today's date in Tokyo. */
export function todayInTokyo(now = new Date()): Day {
  const parts = new Map(tokyo.formatToParts(now).map(({ type, value }) => [type, Number(value)]));
  return {
    year: parts.get("year") ?? 0,
    month: parts.get("month") ?? 0,
    day: parts.get("day") ?? 0,
  };
}

/** Year, month and day with one kind of separator, or none. */
const SPELLINGS = [
  /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/,
  /^(\d{4})(年)(\d{1,2})月(\d{1,2})日$/,
  /^(\d{4})()(\d{2})(\d{2})$/,
];

/** Parses `2011-4-1`, `2011年4月1日` and the like in any width; null if the format is unknown. */
export function parseDay(typed: string): Day | null {
  const text = withHyphens(typed);
  const found = SPELLINGS.map((spelling) => spelling.exec(text)).find((match) => match !== null);
  if (!found) return null;
  return { year: Number(found[1]), month: Number(found[3]), day: Number(found[4]) };
}

/** Whether the date exists in the calendar. */
function exists({ year, month, day }: Day): boolean {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

/** Formats a date as the API does: `2011-04-01`. */
export function formatDay({ year, month, day }: Day): string {
  return [String(year).padStart(4, "0"), ...[month, day].map(twoDigits)].join("-");
}

/** Formats a date of the API for people: `2011-04-01` is `2011年4月1日`. */
export function dayInWords(day: string): string {
  const read = parseDay(day);
  return read === null ? day : `${read.year}年${read.month}月${read.day}日`;
}

const twoDigits = (number: number) => String(number).padStart(2, "0");

/** Age in whole years; negative before the birth. */
export function ageOn(birth: Day, today: Day): number {
  const hadBirthday = monthAndDay(today) >= monthAndDay(birth);
  return today.year - birth.year - (hadBirthday ? 0 : 1);
}

/** Month and day as a number for comparisons: 401 is 1 April. */
function monthAndDay({ month, day }: Day): number {
  return month * 100 + day;
}

/** Whether a birth date exists and its age is allowed for an account. */
export function isBirthDate(birth: Day, today: Day): boolean {
  if (!exists(birth)) return false;
  const age = ageOn(birth, today);
  return age >= YOUNGEST && age <= OLDEST;
}

/** Whether a person needs a guardian's consent for purchases. */
export function isMinor(birth: Day, today: Day): boolean {
  return ageOn(birth, today) < OF_AGE;
}

/** Every school year, in order. */
export const schoolYears = [
  ...[1, 2, 3, 4, 5, 6].map((year) => `小${year}`),
  ...[1, 2, 3].map((year) => `中${year}`),
  ...[1, 2, 3].map((year) => `高${year}`),
  "既卒",
] as const;

/**
 * The school year for a birth date; null before primary school. A school year begins on 1 April.
 * Children born on or before that day belong to the year above.
 */
export function schoolYearOf(birth: Day, today: Day): string | null {
  const schoolYear = today.month >= 4 ? today.year : today.year - 1;
  const entry = monthAndDay(birth) >= 402 ? birth.year + 7 : birth.year + 6;
  const nth = schoolYear - entry + 1;
  return nth < 1 ? null : (schoolYears[nth - 1] ?? "既卒");
}
