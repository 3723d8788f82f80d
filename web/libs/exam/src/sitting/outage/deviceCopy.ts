import { runningExam, type User } from "@konomana/session";
import type { Sheet } from "../../api";
import { AnswerStore } from "../protocol/answerStore";
import { clockMemory } from "../protocol/clockMemory";
import { forgetQuestion } from "../questions/lastQuestion";
import { dropShell, keepShell } from "./examShell";
import { sheetCopy } from "./sheetCopy";

/**
 * Prepares this browser for a sitting: its screens stay open during failures of the server, and open again without the
 * network. The questions and answers are stored in the database of the sitting.
 */
export function keepRunningExam(sheet: Sheet, user: User): void {
  runningExam.keep(sheet.exam.id, user);
  sheetCopy.keep(user.id, sheet);
  // If this fails, only a reload needs the network.
  keepShell().catch(() => {});
}

/** Removes all data of the running exam, when no paper runs. */
export function forgetRunningExam(): void {
  runningExam.forget();
  sheetCopy.forget();
  clockMemory.forget();
  dropShell().catch(() => {});
}

/** Removes the questions and answers of a sitting that was handed in while it was open on no page. */
export async function forgetAnswers(learner: string, sitting: string): Promise<void> {
  forgetQuestion(sitting);
  const store = new AnswerStore();
  await store.clear(learner, sitting).catch(() => {});
  await store.close();
}
