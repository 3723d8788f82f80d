import { ApiError } from "@konomana/http";
import { questionQuery, type Outcome, type Question, type Result, resultQuery } from "../api";
import { combineQueries, type QueryState } from "@konomana/query";
import { useQuery } from "@tanstack/react-query";
import type { Mode } from "./mode";

/** A question with the outcome of its answer, if it was answered. */
export interface QuestionWithOutcome {
  question: Question;
  outcome: Outcome | null;
}

/** Loads a question in a mode as one query; in practice with the result of the round. */
export function useAsked(questionId: string, mode: Mode): QueryState<QuestionWithOutcome> {
  const isPractice = mode.kind === "practice";
  const question = useQuery(questionQuery(questionId));
  const round = useQuery({ ...resultQuery(isPractice ? mode.result : 0), enabled: isPractice });
  const combined = combineQueries<readonly unknown[]>(isPractice ? [question, round] : [question]);
  if (combined.data === undefined || question.data === undefined)
    return { ...combined, data: undefined };
  const outcome = outcomeIn(mode, question.data, round.data);
  return { ...combined, data: { question: question.data, outcome } };
}

/** The outcome of an earlier answer; null in review, where every question is asked again. */
export function outcomeIn(mode: Mode, question: Question, round?: Result): Outcome | null {
  if (mode.kind === "graded") return question.graded;
  if (mode.kind === "review" || round === undefined) return null;
  const answered = round.answers.find((answer) => answer.question.id === question.id);
  // The round does not have this question, so it can't be answered in it.
  if (answered === undefined) return null;
  const { given, is_right, key, explanation, watch_again_at } = answered;
  if (given === null || is_right === null || key === null) return null;
  return {
    is_right,
    given,
    key,
    explanation: explanation ?? "",
    watch_again_at,
    result: {
      id: round.id,
      answered: round.answered_count,
      of: round.question_count,
      is_finished: round.finished_at !== null,
    },
  };
}

/** Whether the question was already answered, on another screen or before a connection was lost. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === "ALREADY_ANSWERED";
}
