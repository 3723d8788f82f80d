import { ApiError, sentenceOf } from "@konomana/http";
import { QueryBoundary } from "@konomana/query";
import { EmptyState, LoadingState } from "@konomana/ui-base";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

interface ResultBoundaryProps<Result> {
  query: UseQueryResult<Result>;
  children: (result: Result) => ReactNode;
}

/** Renders a result, or the reason why there is none yet. */
export function ResultBoundary<Result>({ query, children }: ResultBoundaryProps<Result>) {
  const { data, error } = query;
  if (data === undefined && isTooEarly(error))
    return (
      <EmptyState level={1} title="まだ見られません">
        {sentenceOf(error)}
      </EmptyState>
    );
  return (
    <QueryBoundary query={query} loading={<LoadingState rows={3} height="12rem" />}>
      {children}
    </QueryBoundary>
  );
}

function isTooEarly(error: Error | null): boolean {
  return (
    error instanceof ApiError && (error.code === "NOT_FINAL" || error.code === "NOTHING_HANDED_IN")
  );
}
