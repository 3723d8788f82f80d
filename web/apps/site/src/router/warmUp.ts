import type { Screen } from "@konomana/screens";
import { hasTokens } from "@konomana/session";
import type { MiddlewareFunction } from "react-router";
import { loadQueries } from "../lazyQueries";

/**
 * Starts the queries of a screen for a person who may be signed in, without waiting for what the guards find out: the
 * person, the code (which the router asks for by itself) and the data come in one round trip. The server decides who may
 * have the data. Without a connection the screen opens only if its data is in the cache.
 */
export function warmUp(screen: Screen): MiddlewareFunction {
  return async ({ request, params }) => {
    if (!hasTokens()) return;
    const { searchParams: search } = new URL(request.url);
    // The navigation itself reports code that fails to load.
    const lost = loadQueries()
      .then(({ warm }) => warm(screen, { params, search }))
      .catch(() => null);
    if (navigator.onLine) return;
    const error = await lost;
    if (error !== null) throw error;
  };
}
