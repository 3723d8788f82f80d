/** Polling pauses of an order in milliseconds. They grow with the wait. */
const PAUSES = [1000, 1000, 1500, 2000, 3000, 5000, 8000, 12_000];
const LONGEST = 20_000;

/** The pause after the given number of requests. */
export function pauseAfter(questions: number): number {
  return PAUSES[Math.max(0, questions - 1)] ?? LONGEST;
}
