import type { ExamCard } from "../api/examCardTypes";

/** The phase of an exam for a person without a seat. */
export type ExamPhase = "soon" | "open" | "full" | "closed" | "over";

type Dates = Pick<
  ExamCard,
  "application_opens_at" | "application_closes_at" | "ends_at" | "seats_left"
>;

/** @param now milliseconds since 1970 */
export function phaseOf(exam: Dates, now: number): ExamPhase {
  if (now >= Date.parse(exam.ends_at)) return "over";
  if (now >= Date.parse(exam.application_closes_at)) return "closed";
  if (now < Date.parse(exam.application_opens_at)) return "soon";
  return exam.seats_left === 0 ? "full" : "open";
}
