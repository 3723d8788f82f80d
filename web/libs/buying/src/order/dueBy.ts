import { formatDateTime, formatLastDay } from "@konomana/ui-base";

const HOUR_MS = 3_600_000;

/** Until when an order has to be paid: a day for a deadline at its end in Tokyo, else a day with its time. */
export function dueBy(dueAt: string): string {
  const isMidnight = Date.parse(dueAt) % (24 * HOUR_MS) === 15 * HOUR_MS;
  return isMidnight ? formatLastDay(dueAt) : formatDateTime(dueAt);
}
