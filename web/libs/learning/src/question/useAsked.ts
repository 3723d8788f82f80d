import { ApiError } from "@konomana/http";
import { questionQuery, type Outcome, type Question, type Result, resultQuery } from "../api";
import type { Loadable } from "@konomana/calls";
import { useQuery } from "@tanstack/react-query";
import type { Mode } from "./mode";

/** A question, and what became of its answer where it has been answered already. */
export interface Asked {
  question: Question;
  outcome: Outcome | null;
}

/** A question in a mode as one thing that is loading, there, or failed. */
export function useAsked(questionId: string, mode: Mode): Loadable<Asked> {
  const practice = mode.kind === "practice";
  const question = useQuery(questionQuery(questionId));
  const round = useQuery({
    ...resultQuery(practice ? mode.result : 0),
    enabled: practice,
  });
  const needed = practice ? [question, round] : [question];
  const failed = needed.filter(({ data, isError }) => isError && data === undefined);
  const complete = question.data !== undefined && (!practice || round.data !== undefined);
  return {
    data: complete
      ? { question: question.data, outcome: outcomeIn(mode, question.data, round.data) }
      : undefined,
    error: failed[0]?.error ?? null,
    isPending: !complete && failed.length === 0,
    isFetching: needed.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
  } as Loadable<Asked>;
}

/** What became of an answer that was given before; in review everything is asked anew. */
export function outcomeIn(mode: Mode, question: Question, round?: Result): Outcome | null {
  if (mode.kind === "graded") return question.graded;
  if (mode.kind === "review" || round === undefined) return null;
  const answered = round.answers.find((answer) => answer.question.id === question.id);
  // A question that the round does not have can't be answered in it.
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

/** Whether somebody has answered this already, on another screen or before the connection was lost. */
export function isAnswered(error: unknown): boolean {
  return error instanceof ApiError && error.code === "ALREADY_ANSWERED";
}
