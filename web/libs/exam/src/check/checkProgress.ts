import { type Answer, readDraft } from "@konomana/question";
import { freeChecks } from "@konomana/visitor";
import { useState } from "react";
import type { Check, CheckResult } from "../api";

/** The progress of a check. */
export interface Progress {
  /** By question. Unanswered questions are missing. */
  answers: Readonly<Record<number, Answer>>;
  /** Index of the current question, from 0. */
  at: number;
  /** Whether all questions are shown on one page instead of one at a time. */
  isList: boolean;
  /** `null` until it is scored. */
  result: CheckResult | null;
}

const untouched: Progress = { answers: {}, at: 0, isList: false, result: null };

/** By the id of the check. */
type StoredChecks = Record<string, Partial<Progress> | undefined>;

function readAll(): StoredChecks {
  const stored = freeChecks.read();
  return typeof stored === "object" && stored !== null ? (stored as StoredChecks) : {};
}

/** Whether a check was started or scored in this browser. */
export function standingOf(check: number): "scored" | "begun" | null {
  const stored = readAll()[check];
  if (stored === undefined) return null;
  return stored.result ? "scored" : "begun";
}

/** The stored progress of a check. Answers that do not fit the questions are dropped. */
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

/** The progress of a check, stored through a reload. */
export function useProgress(check: Check) {
  const [progress, setProgress] = useState(() => readProgress(check));
  const change = (part: Partial<Progress>) => {
    const next = { ...progress, ...part };
    writeProgress(check.id, next);
    setProgress(next);
  };
  return { progress, change, restart: () => change({ ...untouched, isList: progress.isList }) };
}
