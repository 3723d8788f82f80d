import { ApiError } from "@konomana/http";
import type { Screen, WarmArgs } from "@konomana/screens";
import { personalDataIn } from "@konomana/session";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** The cache of what the server says. The API's wrapper repeats what may be repeated; nothing else does. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // Without a network a call fails and says so. The default would wait for one and say nothing.
      queries: { retry: false, refetchOnWindowFocus: false, networkMode: "always" },
      mutations: { networkMode: "always" },
    },
  });
}

/** The one query client of the page. `lazyQueries.ts` loads it. */
export const queries = createQueries();

/** The signed-in person's own data, in this client. */
export const personal = personalDataIn(queries);

/** Starts a screen's queries. Returns the error of a query that has no cached data and failed without a connection. */
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

/** Gives everything inside it the query client. */
export function QueriesProvider({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>;
}
