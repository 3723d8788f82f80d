import { type QueryKey, useQuery } from "@tanstack/react-query";

/** What was fetched a moment ago is not fetched again. */
const FRESH_MS = 60_000;

/**
 * The data of a prerendered page at once, replaced by what the API says now: what was published after the build is
 * shown without one. Where the API can't be reached, the page stays.
 *
 * @param key the key of the query; null where `built` comes from the API already
 */
export function useStaleWhileRevalidate<Data>(
  key: QueryKey | null,
  built: Data,
  fetch: (signal: AbortSignal) => Promise<Data>,
): Data {
  const { data } = useQuery({
    queryKey: key ?? [],
    queryFn: ({ signal }) => fetch(signal),
    enabled: key !== null,
    staleTime: FRESH_MS,
  });
  return data === undefined ? built : data;
}
