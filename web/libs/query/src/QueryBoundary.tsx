import { ApiError, sentenceOf } from "@konomana/http";
import { ErrorState, NotFoundContent } from "@konomana/ui-base";
import type { ReactNode } from "react";

/** The state of a query, or of several that are combined into one. */
export interface QueryState<Data> {
  data: Data | undefined;
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface QueryBoundaryProps<Data> {
  query: QueryState<Data>;
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
export function QueryBoundary<Data>({
  query,
  loading,
  part = false,
  children,
}: QueryBoundaryProps<Data>) {
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
