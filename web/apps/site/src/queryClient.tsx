import { ApiError } from "@konomana/http";
import type { Screen, WarmArgs } from "@konomana/screens";
import { personalDataIn } from "@konomana/session";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** Creates the query client. The API wrapper repeats idempotent calls; the client repeats none. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a call fails with an error. By default it would wait silently.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
}

/** The query client of the page. `lazyQueries.ts` loads it. */
export const queries = createQueries();

/** The personal data of the signed-in user, in this client. */
export const personal = personalDataIn(queries);

/**
 * Starts a screen's queries. Returns the error of a query that failed without a connection and has
 * no cached data.
 */
export async function warm(screen: Screen, args: WarmArgs): Promise<Error | null> {
  const began = Date.now();
  await Promise.all(screen.warm?.(queries, args) ?? []);
  const failed = queries
    .getQueryCache()
    .findAll({
      predicate: ({ state }) => state.errorUpdatedAt >= began && state.data === undefined,
    })
    .map(({ state }) => state.error);
  return failed.find((error) => error instanceof ApiError && error.code === "NETWORK") ?? null;
}

/** Provides the query client to its children. */
export function QueriesProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
