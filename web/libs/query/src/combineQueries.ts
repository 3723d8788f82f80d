import type { UseQueryResult } from "@tanstack/react-query";
import type { QueryState } from "./QueryBoundary";

/** Combines queries into one: it has data when all have, and a retry repeats the failed ones. */
export function combineQueries<const Data extends readonly unknown[]>(queries: {
  [Index in keyof Data]: UseQueryResult<Data[Index]>;
}): QueryState<Data> {
  const all = queries as readonly UseQueryResult<unknown>[];
  const failed = all.filter(({ isError, data }) => isError && data === undefined);
  const hasData = all.every(({ data }) => data !== undefined);
  return {
    data: hasData ? (all.map(({ data }) => data) as unknown as Data) : undefined,
    error: failed[0]?.error ?? null,
    isPending: !hasData && failed.length === 0,
    isFetching: all.some(({ isFetching }) => isFetching),
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
  };
}
