const DAY = 24 * 60 * 60 * 1000;
/** Learning days begin at 04:00 in Tokyo, five hours before the day in UTC ends. */
const TO_LEARNING_DAY = 5 * 60 * 60 * 1000;
const WEEKS = 8;

const names = new Intl.DateTimeFormat("ja-JP", { timeZone: "UTC", month: "long", day: "numeric" });

/** The Mondays of the last eight weeks that have ended in Tokyo, newest first, e.g. `2026-11-16`. */
export function listReportWeeks(now: number): string[] {
  const today = Math.floor((now + TO_LEARNING_DAY) / DAY);
  // Day 0 was a Thursday.
  const monday = today - ((today + 3) % 7);
  return Array.from({ length: WEEKS }, (_, index) =>
    new Date((monday - 7 * (index + 1)) * DAY).toISOString().slice(0, 10),
  );
}

/** A week by its first and last day, `11月16日〜11月22日`. */
export function formatWeek(monday: string): string {
  const start = Date.parse(monday);
  return `${names.format(start)}〜${names.format(start + 6 * DAY)}`;
}
