import { tabStorage } from "@konomana/browser";

/*
 * What a sign-out removes from this browser. Apart from `drafts.ts`, which most pages do not load.
 */

/** Every stored draft has a key of this form: prefix, owner, name. */
export const DRAFT_PREFIX = "konomana.draft.";

/** Removes the drafts of everybody in this tab. */
export function forgetDrafts(): void {
  for (const key of tabStorage.keys(DRAFT_PREFIX)) tabStorage.remove(key);
}
