import { formatDateTime, formatLastDay } from "@konomana/ui-base";

const HOUR_MS = 3_600_000;

/**
 * Formats a payment deadline: only the day if it is the end of a day in Tokyo, otherwise with the
 * time.
 */
export function dueBy(dueAt: string): string {
  const isMidnight = Date.parse(dueAt) % (24 * HOUR_MS) === 15 * HOUR_MS;
  return isMidnight ? formatLastDay(dueAt) : formatDateTime(dueAt);
}
