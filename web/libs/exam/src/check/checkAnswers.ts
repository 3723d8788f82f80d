import { type Answer, givenOf, validatorOf } from "@konomana/question";
import type { GivenAnswer, Question } from "../api";

/**
 * Whether a question has an answer. An unreadable answer counts as one; its error is shown beside
 * it.
 */
export function isAnswered({ kind }: Question, answer: Answer | undefined): boolean {
  if (answer === undefined) return false;
  return kind === "single" || kind === "multiple"
    ? answer.chosen.length > 0
    : answer.answer.trim() !== "";
}

/** An answer as it is sent. `null` for a skipped question. */
export function toGiven(question: Question, answer: Answer | undefined): GivenAnswer | null {
  return answer !== undefined && isAnswered(question, answer)
    ? givenOf(question.kind, answer)
    : null;
}

/** The errors of a typed answer. An empty answer is a skipped question, not an error. */
export function faultsOf(
  question: Question,
  answer: Answer,
): Partial<Record<keyof Answer, string>> {
  return isAnswered(question, answer) ? validatorOf(question.kind)(answer) : {};
}
