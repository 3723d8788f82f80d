import { ApiError, sentenceOf } from "@konomana/http";
import { ErrorState, NotFoundContent } from "@konomana/ui-base";
import type { ReactNode } from "react";

/** The state of a query, or of several combined queries. */
export interface QueryState<Data> {
  data: Data | undefined;
  error: Error | null;
  isPending: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface QueryBoundaryProps<Data> {
  query: QueryState<Data>;
  /** Placeholder with the size of the content. */
  loading: ReactNode;
  /** One part of a page: a 404 shows an error here instead of the not-found page. */
  part?: boolean;
  children: (data: Data) => ReactNode;
}

/**
 * Shows a query's data, its loading state, or its error with a retry and the trace id. Status 404
 * shows the not-found page (the specification, §8).
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
      traceId={traceIdToShow(error)}
      onRetry={() => void query.refetch()}
      retrying={query.isFetching}
    />
  );
}

/** The trace id for support; a call without a connection has none. */
function traceIdToShow(error: Error | null): string | undefined {
  return error instanceof ApiError && error.code !== "NETWORK" ? error.traceId : undefined;
}
