type Scalar = string | number | boolean | null | undefined;
export type Query = Record<string, Scalar | readonly Scalar[]>;

const isEmpty = (value: Scalar) => value === undefined || value === null || value === "";

/**
 * Writes a query string with a leading `?`, or an empty string. Arrays use a `[]` suffix and empty
 * values are dropped (the specification, §7); `0` and `false` are values.
 */
export function toQuery(query: Query): string {
  const written = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const [key, values] = Array.isArray(value) ? [`${name}[]`, value] : [name, [value as Scalar]];
    for (const one of values) if (!isEmpty(one)) written.append(key, String(one));
  }
  const text = written.toString();
  return text && `?${text}`;
}
