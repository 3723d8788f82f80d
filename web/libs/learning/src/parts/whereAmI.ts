import { isAtEnd } from "../lecture/watching/resume";
import { clock } from "./clock";

/** Whether a lesson is done with: it is ticked, or its video stands at its end. */
export function isThrough(
  { position, is_check }: { position: number; is_check: boolean },
  duration: number,
): boolean {
  return is_check || isAtEnd(position, duration);
}

/** `5:12 / 7:31` */
export function clockOf(position: number, duration: number): string {
  return `${clock(position)} / ${clock(duration)}`;
}
