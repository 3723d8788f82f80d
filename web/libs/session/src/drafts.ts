import { tabStorage } from "@konomana/browser";
import { DRAFT_PREFIX } from "./forget";
import { sessionStore } from "./state";
import { readTokens } from "./tokenStorage";

/** The owner of what is typed while nobody is signed in. */
const VISITOR = "visitor";

/** What was typed into a form, kept in this tab until the form is done. */
export interface Draft<Values> {
  read: () => Partial<Values>;
  write: (values: Values) => void;
  clear: () => void;
}

/**
 * Keeps the named fields of a form through a reload, for the person who typed them: another account that signs in
 * in the same tab reads nothing, and a sign-out removes every draft of the tab. Only the named fields are kept;
 * passwords stay out because they are not named.
 */
export function createDraft<Values extends object>(
  name: string,
  fields: readonly (keyof Values)[],
): Draft<Values> {
  const named = (values: object) =>
    Object.fromEntries(
      Object.entries(values).filter(([field]) => fields.includes(field as keyof Values)),
    );
  return {
    read: () => {
      const key = keyOf(name);
      const stored = key === null ? null : tabStorage.readJson(key);
      return named(stored ?? {}) as Partial<Values>;
    },
    write: (values) => {
      const key = keyOf(name);
      if (key !== null) tabStorage.writeJson(key, named(values));
    },
    clear: () => {
      const key = keyOf(name);
      if (key !== null) tabStorage.remove(key);
    },
  };
}

/** `null` while tokens are stored and their account is not loaded yet: nothing is read or written for an unknown owner. */
function keyOf(name: string): string | null {
  const { user } = sessionStore.get();
  const owner = user?.id ?? (readTokens() === null ? VISITOR : null);
  return owner === null ? null : `${DRAFT_PREFIX}${owner}.${name}`;
}
