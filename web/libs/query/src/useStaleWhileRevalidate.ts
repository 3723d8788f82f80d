import { type QueryKey, useQuery } from "@tanstack/react-query";

/** Data fetched within this time is not fetched again. */
const FRESH_MS = 60_000;

/**
 * Shows the data of a prerendered page at once and replaces it with the API's current data, so that
 * new content appears without a build. If the API can't be reached, the page's data stays.
 *
 * @param key the query key; null if `built` already comes from the API
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
