import { clock } from "./clock";

/** A video that ends within so many seconds begins anew (the rules of watching). */
const END_SECONDS = 10;

/** Whether a lesson is done with: it is ticked, or its video stands at its end. */
export function isThrough(
  { position, is_check }: { position: number; is_check: boolean },
  duration: number,
): boolean {
  return is_check || atEnd(position, duration);
}

/** Where a video goes on: the second somebody came to, or its beginning. */
export function goesOnAt(position: number, duration: number): number {
  return atEnd(position, duration) ? 0 : position;
}

function atEnd(position: number, duration: number): boolean {
  return position >= duration - END_SECONDS;
}

/** `5:12 / 7:31` */
export function clockOf(position: number, duration: number): string {
  return `${clock(position)} / ${clock(duration)}`;
}
