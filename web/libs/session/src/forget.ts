/**
 * What a sign-out removes from this browser. Apart from `drafts.ts` and `looked.ts`, which most pages do not load: only
 * this file is in what every page loads.
 */

/** Every stored draft has a key of this form: prefix, owner, name. */
export const DRAFT_PREFIX = "konomana.draft.";

/** Where the courses looked at are stored. */
export const LOOKED_KEY = "konomana.looked";

/** Called when the courses looked at have changed in this tab. */
export const lookedListeners = new Set<() => void>();

/** Removes the drafts of everybody in this tab. */
export function forgetDrafts(): void {
  const keys = Array.from({ length: sessionStorage.length }, (_, index) =>
    sessionStorage.key(index),
  );
  for (const key of keys) if (key?.startsWith(DRAFT_PREFIX)) sessionStorage.removeItem(key);
}

/** Nobody after this person sees what they have looked at. */
export function forgetLooked(): void {
  localStorage.removeItem(LOOKED_KEY);
  for (const listener of lookedListeners) listener();
}
