import { formatClock } from "@konomana/ui-base";
import { isAtEnd } from "../lecture/watching/resume";

/** Whether a lesson is finished: it is checked, or its video is at its end. */
export function isFinished(
  { position, is_check }: { position: number; is_check: boolean },
  duration: number,
): boolean {
  return is_check || isAtEnd(position, duration);
}

/** `5:12 / 7:31`: position and duration of a video, both in seconds. */
export function formatPosition(position: number, duration: number): string {
  return `${formatClock(position)} / ${formatClock(duration)}`;
}
