import { formatDuration } from "@konomana/ui-base";

/** The percentage of a paper's minutes without extra time. */
const USUAL = 100;

/** The length of a paper in words. `percent` scales its minutes; 100 is without extra time. */
export function timeOf(minutes: number, percent: number): string {
  return percent === USUAL ? `${minutes}分` : formatDuration((minutes * 60 * percent) / 100);
}

export function hasExtraTime(percent: number): boolean {
  return percent > USUAL;
}
