/** A note that is being written: its second is that at which it was begun. */
export interface Draft {
  id: string;
  at: number;
  text: string;
}

const keyOf = (lesson: number) => `konomana.note-draft.${lesson}`;

/** What somebody was writing about a lesson in this tab; null where nothing was. */
export function draftOf(lesson: number): Draft | null {
  try {
    return JSON.parse(sessionStorage.getItem(keyOf(lesson)) ?? "null") as Draft | null;
  } catch {
    return null;
  }
}

/** Keeps what somebody is writing, through a reload. */
export function keepDraft(lesson: number, draft: Draft | null): void {
  try {
    if (draft && draft.text !== "") sessionStorage.setItem(keyOf(lesson), JSON.stringify(draft));
    else sessionStorage.removeItem(keyOf(lesson));
  } catch {
    // Nothing can be kept there: it stays as long as the page.
  }
}
