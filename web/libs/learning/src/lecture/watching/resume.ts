/** A lesson resumes this many seconds before its last position. */
const EARLIER_S = 3;
/** A lesson left within this many seconds of its end starts again. */
const END_S = 10;

/** The start position of a lesson that was left at `position`. */
export function resumeAt(position: number, duration: number): number {
  return isAtEnd(position, duration) ? 0 : Math.max(0, position - EARLIER_S);
}

/** Whether `position` is at the end of a lesson. */
export function isAtEnd(position: number, duration: number): boolean {
  return position >= duration - END_S;
}

/** The second in an address; null if absent or outside the lesson. */
export function secondIn(params: URLSearchParams, duration: number): number | null {
  const text = params.get("at") ?? "";
  return /^\d{1,5}$/.test(text) && Number(text) < duration ? Number(text) : null;
}
