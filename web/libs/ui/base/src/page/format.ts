/** Formats a duration in seconds: 451 is `7分31秒`, 11,400 is `3時間10分`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}秒`;
  if (whole < 3600) {
    const rest = whole % 60;
    return `${Math.floor(whole / 60)}分${rest === 0 ? "" : `${rest}秒`}`;
  }
  const minutes = Math.round(whole / 60);
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)}時間${rest === 0 ? "" : `${rest}分`}`;
}

const dayAndTime = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  year: "numeric",
  month: "long",
  day: "numeric",
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});
const day = new Intl.DateTimeFormat("ja-JP", {
  timeZone: "Asia/Tokyo",
  year: "numeric",
  month: "long",
  day: "numeric",
  weekday: "short",
});

/** Formats a time (RFC 3339) in Tokyo's time zone: `2026年11月21日(土) 00:30`. */
export function formatDateTime(moment: string): string {
  return dayAndTime.format(new Date(moment));
}

/** Formats the day of a time (RFC 3339) in Tokyo: `2026年11月21日(土)`. */
export function formatDate(moment: string): string {
  return day.format(new Date(moment));
}

/**
 * Formats the last day in Tokyo of a period that ends at a time (RFC 3339). A period that ends at
 * midnight ends on the day before.
 */
export function formatLastDay(end: string): string {
  return day.format(Date.parse(end) - 1);
}

/** Formats the end of a sale (RFC 3339) by its last day in Tokyo. */
export function formatSaleEnd(end: string): string {
  return `販売は${formatLastDay(end)}まで`;
}

/** Formats whole yen: `13,200円`. */
export function formatYen(yen: number): string {
  return `${yen.toLocaleString("ja-JP")}円`;
}

/** Formats a price with tax: `13,200円（税込）`. */
export function formatPrice(yen: number): string {
  return `${formatYen(yen)}（税込）`;
}
