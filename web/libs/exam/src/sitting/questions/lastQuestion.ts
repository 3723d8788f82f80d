import { sharedStorage } from "@konomana/browser";
import type { Sitting } from "../protocol/sittingTypes";

const keyOf = (sitting: string) => `konomana.exam-question.${sitting}`;

/**
 * The number of the question where a sitting goes on: the last open one on this device, or after
 * another device has had the sitting, the one that was answered last.
 */
export function questionBefore({ id, epoch, paper, answers }: Sitting): string | null {
  const [noted, number] = (sharedStorage.read(keyOf(id)) ?? "").split(".");
  if (noted === String(epoch) && number !== undefined) return number;
  const times = new Map(answers.map((answer) => [answer.question_id, answer.saved_at]));
  let last: { number: number; at: string } | null = null;
  for (const question of paper.questions) {
    const at = times.get(question.id);
    if (at !== undefined && (last === null || Date.parse(at) >= Date.parse(last.at)))
      last = { number: question.number, at };
  }
  return last === null ? null : String(last.number);
}

/** Notes the open question of a sitting, with the epoch of this device. */
export function noteQuestion({ id, epoch }: Sitting, number: number): void {
  sharedStorage.write(keyOf(id), `${epoch}.${number}`);
}

/** Removes the note of a sitting that was handed in. */
export function forgetQuestion(sitting: string): void {
  sharedStorage.remove(keyOf(sitting));
}
