import { type QueryKey, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

/** What was asked a moment ago is not asked again. */
const FRESH_MS = 60_000;

/**
 * What a prerendered page brought along, shown at once, and quietly replaced by what the API says now: what
 * was published after the build is there without one. Where the API can't be asked, the page stays.
 *
 * @param key names what is asked; null where `built` comes from the API already
 */
export function useNewest<Data>(
  key: QueryKey | null,
  built: Data,
  ask: (signal: AbortSignal) => Promise<Data>,
): Data {
  const queries = useQueryClient();
  const name = JSON.stringify(key);
  const [answer, setAnswer] = useState<{ name: string; data: Data } | null>(() => {
    const data = key === null ? undefined : queries.getQueryData<Data>(key);
    return data === undefined ? null : { name, data };
  });
  useEffect(() => {
    if (key === null) return;
    let shown = true;
    queries
      .fetchQuery({ queryKey: key, queryFn: ({ signal }) => ask(signal), staleTime: FRESH_MS })
      .then(
        (data) => shown && setAnswer({ name, data }),
        () => {},
      );
    return () => {
      shown = false;
    };
    // oxlint-disable-next-line react/exhaustive-deps -- the name says all that the key and the question do
  }, [name, queries]);
  return answer?.name === name ? answer.data : built;
}
