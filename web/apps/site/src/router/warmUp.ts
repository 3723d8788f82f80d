import type { Screen } from "@konomana/screens";
import { hasTokens } from "@konomana/session";
import type { MiddlewareFunction } from "react-router";
import { loadQueries } from "../lazyQueries";

/**
 * Starts the queries of a screen for a possibly signed-in user, without waiting for the guards. The
 * user, the code (which the router loads by itself) and the data are fetched in one round trip. The
 * server authorises the data. Without a connection the screen opens only if its data is in the
 * cache.
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
