/** For how long a product can be used; empty where nothing limits it. */
export function periodOf(days: number | null): string {
  return days === null ? "" : `利用期間 ${days}日間`;
}
