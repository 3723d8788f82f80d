/** Milliseconds between two questions about an order: they grow with the wait. */
const PAUSES = [1000, 1000, 1500, 2000, 3000, 5000, 8000, 12_000];
const LONGEST = 20_000;

/** The pause after so many questions. */
export function pauseAfter(questions: number): number {
  return PAUSES[Math.max(0, questions - 1)] ?? LONGEST;
}
