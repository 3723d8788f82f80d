import type { Loadable } from "@konomana/calls";
import type { UseQueryResult } from "@tanstack/react-query";

/** Two answers of the server as one thing that is loading, there, or failed. */
export function together<First, Second>(
  first: UseQueryResult<First>,
  second: UseQueryResult<Second>,
): Loadable<readonly [First, Second]> {
  const failed = [first, second].filter(({ isError, data }) => isError && data === undefined);
  const there = first.data !== undefined && second.data !== undefined;
  return {
    data: there ? [first.data, second.data] : undefined,
    error: failed[0]?.error ?? null,
    isPending: !there && failed.length === 0,
    isFetching: first.isFetching || second.isFetching,
    refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
  } as Loadable<readonly [First, Second]>;
}
