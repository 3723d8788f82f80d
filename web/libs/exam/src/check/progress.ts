import { type Answer, readDraft } from "@konomana/question";
import { freeChecks } from "@konomana/visitor";
import { useState } from "react";
import type { Check, CheckResult } from "../api";

/** How far a check is. */
export interface Progress {
  /** By question. What was not answered is missing. */
  answers: Readonly<Record<number, Answer>>;
  /** The place of the question that is shown, from 0. */
  at: number;
  /** All questions one below the other, in place of one at a time. */
  isList: boolean;
  /** `null` until it is scored. */
  result: CheckResult | null;
}

const untouched: Progress = { answers: {}, at: 0, isList: false, result: null };

/** By the identifier of the check. */
type Stored = Record<string, Partial<Progress> | undefined>;

function readAll(): Stored {
  const stored = freeChecks.read();
  return typeof stored === "object" && stored !== null ? (stored as Stored) : {};
}

/** Whether a check was begun or scored in this browser. */
export function standingOf(check: number): "scored" | "begun" | null {
  const stored = readAll()[check];
  if (stored === undefined) return null;
  return stored.result ? "scored" : "begun";
}

/** What is stored of a check, as far as it fits its questions. */
export function readProgress({ id, questions }: Check): Progress {
  const { answers = {}, at = 0, isList = false, result = null } = readAll()[id] ?? {};
  const known = questions.flatMap(({ id: question, choices }) => {
    const answer = answers[question];
    return answer === undefined ? [] : [[question, readDraft(answer, choices)] as const];
  });
  const ids = new Set(questions.map((question) => question.id));
  const fits = result?.questions.every(({ question_id }) => ids.has(question_id)) ?? false;
  return {
    answers: Object.fromEntries(known),
    at: Number.isInteger(at) && at >= 0 && at < questions.length ? at : 0,
    isList: isList === true,
    result: fits ? result : null,
  };
}

function writeProgress(check: number, progress: Progress): void {
  freeChecks.write({ ...readAll(), [check]: progress });
}

/** The progress of a check, kept through a reload. */
export function useProgress(check: Check) {
  const [progress, setProgress] = useState(() => readProgress(check));
  const change = (part: Partial<Progress>) => {
    const next = { ...progress, ...part };
    writeProgress(check.id, next);
    setProgress(next);
  };
  return { progress, change, restart: () => change({ ...untouched, isList: progress.isList }) };
}
