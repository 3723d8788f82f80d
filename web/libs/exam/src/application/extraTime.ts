import { formatDuration } from "@konomana/ui-base";

/** Without extra time, in percent of a paper's minutes. */
const USUAL = 100;

/** The length of a paper in words. `percent`: of its minutes, 100 without extra time. */
export function timeOf(minutes: number, percent: number): string {
  return percent === USUAL ? `${minutes}分` : formatDuration((minutes * 60 * percent) / 100);
}

export function hasExtraTime(percent: number): boolean {
  return percent > USUAL;
}
