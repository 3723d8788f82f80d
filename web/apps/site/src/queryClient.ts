import { QueryClient } from "@tanstack/react-query";

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
