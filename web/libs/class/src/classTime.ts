import { formatDateTime } from "@konomana/ui-base";

const clock = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Formats when a lesson takes place: `2026年11月25日(水) 18:00〜18:50`. */
export function formatPeriod({ starts_at, ends_at }: { starts_at: string; ends_at: string }) {
  return `${formatDateTime(starts_at)}〜${clock.format(new Date(ends_at))}`;
}

/** The day that is this many days later: both like `2026-11-30`. */
export function addDays(day: string, days: number): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
