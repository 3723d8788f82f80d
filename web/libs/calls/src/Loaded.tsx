import { ApiError, sentenceOf } from "@konomana/http";
import { ErrorState, NotFoundContent } from "@konomana/ui-base";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** What of a query's result matters here; several queries can be combined into one. */
export interface Loadable<Data> extends Pick<
  UseQueryResult<Data>,
  "data" | "error" | "isPending" | "isFetching"
> {
  refetch: () => unknown;
}

interface LoadedProps<Data> {
  query: Loadable<Data>;
  /** Holds the room of what is coming. */
  loading: ReactNode;
  /** One part of a page: where it is not found, the page itself still is, and says that this failed. */
  part?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * The three faces of what the server gives: on its way, there, or failed with a retry and the trace id.
 * Status 404 shows the not-found page (the specification, §8).
 */
export function Loaded<Data>({ query, loading, part = false, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return loading;
  const { error } = query;
  if (!part && error instanceof ApiError && error.status === 404) return <NotFoundContent />;
  return (
    <ErrorState
      sentence={sentenceOf(error)}
      traceId={traceToTell(error)}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

/** The trace that support can follow; a call that never left this machine has none. */
function traceToTell(error: Error | null): string | undefined {
  return error instanceof ApiError && error.code !== "NETWORK" ? error.traceId : undefined;
}
