import { formatDate, formatDateTime, formatLastDay } from "@konomana/ui-base";

const time = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The first moment at which something is no longer possible: a midnight is told as the day before. */
export function formatDeadline(end: string): string {
  return time.format(new Date(end)) === "00:00" ? formatLastDay(end) : formatDateTime(end);
}

/** From one moment to another; on one day, that day is named once: `2026年12月6日(日) 09:00〜18:00`. */
export function formatPeriod(start: string, end: string): string {
  const isOneDay = formatDate(start) === formatDate(end);
  const last = isOneDay ? time.format(new Date(end)) : formatDeadline(end);
  return `${formatDateTime(start)}〜${last}`;
}

/** When the results of an exam are told. */
export function resultsBy(results_at: string): string {
  return `結果は${formatDateTime(results_at)}までにお知らせします。`;
}
