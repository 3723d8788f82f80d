import { sharedStorage } from "@konomana/browser";

const keyOf = (sitting: string) => `konomana.exam-question.${sitting}`;

/** The number of the last open question of a sitting on this device. */
export function questionBefore(sitting: string): string | null {
  return sharedStorage.read(keyOf(sitting));
}

export function noteQuestion(sitting: string, number: number): void {
  sharedStorage.write(keyOf(sitting), String(number));
}

export function forgetQuestion(sitting: string): void {
  sharedStorage.remove(keyOf(sitting));
}
