import { formatDate, formatDateTime } from "@konomana/ui-base";
import type { SchoolEvent } from "./schoolEventCalls";

const time = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

/** The start and the end in Tokyo: `2027年7月24日(土) 10:00〜15:30`. */
export function formatEventTime({
  starts_at,
  ends_at,
}: Pick<SchoolEvent, "starts_at" | "ends_at">): string {
  const isOneDay = formatDate(starts_at) === formatDate(ends_at);
  const end = isOneDay ? time.format(new Date(ends_at)) : formatDateTime(ends_at);
  return `${formatDateTime(starts_at)}〜${end}`;
}
