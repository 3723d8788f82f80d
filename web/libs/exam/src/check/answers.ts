import { type Answer, givenOf, validatorOf } from "@konomana/question";
import type { GivenAnswer, Question } from "../api";

/** Whether a question has an answer; one that can't be read is one too, and is said to be wrong beside it. */
export function isAnswered({ kind }: Question, answer: Answer | undefined): boolean {
  if (answer === undefined) return false;
  return kind === "single" || kind === "multiple"
    ? answer.chosen.length > 0
    : answer.answer.trim() !== "";
}

/** An answer as it is sent; `null` for a question that was left out. */
export function toGiven(question: Question, answer: Answer | undefined): GivenAnswer | null {
  return answer !== undefined && isAnswered(question, answer)
    ? givenOf(question.kind, answer)
    : null;
}

/** What is wrong with a typed answer, in words. An empty one is left out, which is no fault here. */
export function faultsOf(
  question: Question,
  answer: Answer,
): Partial<Record<keyof Answer, string>> {
  return isAnswered(question, answer) ? validatorOf(question.kind)(answer) : {};
}
