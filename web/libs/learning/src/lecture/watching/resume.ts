/** How much earlier a lesson goes on than it was left, in seconds. */
const EARLIER_S = 3;
/** A lesson that was left in its last seconds begins anew. */
const END_S = 10;

/** Where to go on with a lesson that was left at `position`. */
export function resumeAt(position: number, duration: number): number {
  return isAtEnd(position, duration) ? 0 : Math.max(0, position - EARLIER_S);
}

/** Whether a lesson that was left at `position` has been seen to its end. */
export function isAtEnd(position: number, duration: number): boolean {
  return position >= duration - END_S;
}

/** The second that an address asks for; null where it asks for none that the lesson has. */
export function secondIn(params: URLSearchParams, duration: number): number | null {
  const text = params.get("at") ?? "";
  return /^\d{1,5}$/.test(text) && Number(text) < duration ? Number(text) : null;
}
