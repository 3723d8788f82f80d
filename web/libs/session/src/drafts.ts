import { tabStorage } from "@konomana/browser";
import { DRAFT_PREFIX } from "./draftStorage";
import { sessionStore } from "./state";
import { hasTokens } from "./tokenStorage";

/** The owner of drafts while no user is signed in. */
const VISITOR = "visitor";

/** The values of an unfinished form, stored in this tab until the form is submitted. */
export interface Draft<Values> {
  read: () => Partial<Values>;
  write: (values: Values) => void;
  clear: () => void;
}

/**
 * Stores the named fields of a form through a reload, for the person who typed them. Another
 * account that signs in in the same tab can't read them, and a sign-out removes every draft of the
 * tab. Only the named fields are stored, so leave passwords out.
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

/**
 * `null` while tokens are stored but their account is not loaded: nothing is read or written for an
 * unknown owner.
 */
function keyOf(name: string): string | null {
  const { user } = sessionStore.get();
  const owner = user?.id ?? (hasTokens() ? null : VISITOR);
  return owner === null ? null : `${DRAFT_PREFIX}${owner}.${name}`;
}
