type Scalar = string | number | boolean | null | undefined;

/** A value of a query string. `null`, `undefined` and empty text are left out. */
export type QueryValue = Scalar | readonly Scalar[];

/**
 * Writes a query string with a leading `?`, or an empty string. An array repeats its name, followed
 * by `arraySuffix`. Empty values are dropped; `0` and `false` are values.
 */
export function queryString(query: Readonly<Record<string, QueryValue>>, arraySuffix = ""): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const key = Array.isArray(value) ? name + arraySuffix : name;
    for (const one of [value].flat())
      if (one !== undefined && one !== null && one !== "") written.append(key, String(one));
  }
  const text = written.toString();
  return text && `?${text}`;
}
