import { createDraft } from "@konomana/session";

/** A note that is being written, with the second at which it was begun. */
export interface NoteDraft {
  id: string;
  at: number;
  text: string;
}

const storeOf = (lesson: number) => createDraft<NoteDraft>(`note.${lesson}`, ["id", "at", "text"]);

/** Reads the unsaved note of a lesson in this tab; `null` if there is none. */
export function readNoteDraft(lesson: number): NoteDraft | null {
  const { id, at, text } = storeOf(lesson).read();
  return id === undefined || at === undefined || text === undefined ? null : { id, at, text };
}

/** Stores the unsaved note, so that it survives a reload; an empty one or `null` removes it. */
export function keepNoteDraft(lesson: number, draft: NoteDraft | null): void {
  if (draft && draft.text !== "") storeOf(lesson).write(draft);
  else storeOf(lesson).clear();
}
