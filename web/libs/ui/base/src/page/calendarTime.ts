import { formatDate, formatDateTime } from "./format";

const clock = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Formats a time of day in Tokyo: `18:00`. */
export function formatTime(moment: string): string {
  return clock.format(new Date(moment));
}

/** Formats a start and an end in Tokyo: `2027年7月24日(土) 10:00〜15:30`. */
export function formatPeriod({ starts_at, ends_at }: { starts_at: string; ends_at: string }) {
  const isOneDay = formatDate(starts_at) === formatDate(ends_at);
  return `${formatDateTime(starts_at)}〜${isOneDay ? formatTime(ends_at) : formatDateTime(ends_at)}`;
}

/** The day that is this many days later: both like `2026-11-30`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
