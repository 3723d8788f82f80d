import { tabStorage } from "@konomana/browser";

// Separate from `drafts.ts`, which most pages do not load.

/** The prefix of every draft key. A key consists of prefix, owner and name. */
export const DRAFT_PREFIX = "konomana.draft.";

/** Removes the drafts of all owners in this tab. */
export function forgetDrafts(): void {
  for (const key of tabStorage.keys(DRAFT_PREFIX)) tabStorage.remove(key);
}
