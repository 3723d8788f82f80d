/** What was typed into a form, kept in this tab until the form is done. */
export interface Draft<Values> {
  read: () => Partial<Values>;
  write: (values: Values) => void;
  clear: () => void;
}

/**
 * Keeps the named fields of a form through a reload. Only what is named is kept: secrets are not, and stay
 * out by not being named.
 */
export function draftOf<Values extends object>(
  key: string,
  fields: readonly (keyof Values)[],
): Draft<Values> {
  const item = `konomana.draft.${key}`;
  const named = (values: object) =>
    Object.fromEntries(
      Object.entries(values).filter(([field]) => fields.includes(field as keyof Values)),
    );
  return {
    read: () => {
      try {
        return named(JSON.parse(sessionStorage.getItem(item) ?? "{}") as object) as Partial<Values>;
      } catch {
        return {};
      }
    },
    write: (values) => sessionStorage.setItem(item, JSON.stringify(named(values))),
    clear: () => sessionStorage.removeItem(item),
  };
}
