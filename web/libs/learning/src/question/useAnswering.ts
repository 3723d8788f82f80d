import {
  lessonQuestionsQuery,
  type LessonQuestions,
  type Outcome,
  type Question,
  questionQuery,
  answerQuestion,
  resultKeys,
  resultQuery,
  reviewKeys,
} from "../api";
import { inventoryKeys, lessonKeys } from "@konomana/learner";
import { type Answer, givenOf } from "@konomana/question";
import { useQueryClient } from "@tanstack/react-query";
import { sentAs, type Mode } from "./mode";
import { isAnswered, outcomeIn } from "./useAsked";

/** Keys of data on this screen that an answer changes; refetched at once. */
const BESIDE = [resultKeys.all, reviewKeys.all];
/** Keys of data on other screens that an answer changes; refetched when they are opened. */
const ELSEWHERE = [lessonKeys.all, inventoryKeys.items];

/** The outcome to show. `earlier` is true if it belongs to an earlier answer that counted. */
export interface ShownOutcome {
  outcome: Outcome;
  earlier: boolean;
}

/**
 * Sends an answer. If the question was answered before, it returns the outcome of the answer that
 * counted, because the server accepts no second one.
 */
export function useAnswering(question: Question, mode: Mode) {
  const queries = useQueryClient();

  const send = async (answer: Answer): Promise<ShownOutcome> => {
    const given = givenOf(question.kind, answer);
    try {
      return { outcome: await answerQuestion(question.id, given, sentAs(mode)), earlier: false };
    } catch (error) {
      const outcome = isAnswered(error) ? await counted().catch(() => null) : null;
      if (outcome === null) throw error;
      return { outcome, earlier: true };
    }
  };

  const counted = async (): Promise<Outcome | null> => {
    const now = await queries.fetchQuery({ ...questionQuery(question.id), staleTime: 0 });
    if (mode.kind !== "practice") return now.graded;
    return outcomeIn(
      mode,
      now,
      await queries.fetchQuery({ ...resultQuery(mode.result), staleTime: 0 }),
    );
  };

  const keep = ({ outcome }: ShownOutcome) => {
    if (mode.kind === "graded") {
      queries.setQueryData<Question>(questionQuery(question.id).queryKey, {
        ...question,
        graded: outcome,
      });
      queries.setQueryData<LessonQuestions>(
        lessonQuestionsQuery(question.lesson.id).queryKey,
        (list) => list && withGraded(list, question.id, outcome),
      );
    }
    for (const queryKey of BESIDE) void queries.invalidateQueries({ queryKey });
    for (const queryKey of ELSEWHERE)
      void queries.invalidateQueries({ queryKey, refetchType: "none" });
  };

  return { send, keep };
}

function withGraded(list: LessonQuestions, id: number, { is_right, result }: Outcome) {
  return {
    ...list,
    result: result?.id ?? list.result,
    results: list.results.map((one) => (one.id === id ? { ...one, graded: { is_right } } : one)),
  };
}
