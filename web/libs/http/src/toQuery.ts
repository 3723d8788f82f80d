import { queryString, type QueryValue } from "@konomana/paths";

export type Query = Record<string, QueryValue>;

/** Writes the query string of a call. Arrays use a `[]` suffix (the specification, §7). */
export function toQuery(query: Query): string {
  return queryString(query, "[]");
}
