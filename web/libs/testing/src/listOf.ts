/** The only page of a list. */
export function listOf<Row = never>(...results: Row[]) {
  return { count: results.length, next: null, previous: null, results };
}
