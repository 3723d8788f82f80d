import { formatDate, formatDateTime, formatLastDay } from "@konomana/ui-base";

const time = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** Formats an exclusive deadline. Midnight is shown as the day before. */
export function formatDeadline(end: string): string {
  return time.format(new Date(end)) === "00:00" ? formatLastDay(end) : formatDateTime(end);
}

/** Formats a period. Within one day the day is named once: `2026年12月6日(日) 09:00〜18:00`. */
export function formatPeriod(start: string, end: string): string {
  const isOneDay = formatDate(start) === formatDate(end);
  const last = isOneDay ? time.format(new Date(end)) : formatDeadline(end);
  return `${formatDateTime(start)}〜${last}`;
}

/** The date by which the results are published, or that they are available. */
export function resultsBy(results_at: string, now: number): string {
  if (now >= Date.parse(results_at)) return "結果が出ています。";
  return `結果は${formatDateTime(results_at)}までに、マイページに出ます。`;
}
