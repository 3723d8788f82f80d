import type { Screen } from "@konomana/screens";
import { hasTokens } from "@konomana/session";
import type { MiddlewareFunction } from "react-router";
import { loadQueries } from "../lazyQueries";

/**
 * Starts the queries of a screen for a person who may be signed in, without waiting for what the guards find out: the
 * person, the code (which the router asks for by itself) and the data come in one round trip. The server decides who may
 * have the data.
 */
export function warmUp(screen: Screen): MiddlewareFunction {
  return ({ request, params }) => {
    if (!hasTokens()) return;
    const { searchParams: search } = new URL(request.url);
    loadQueries()
      .then(({ queries }) => screen.warm?.(queries, { params, search }))
      // The navigation itself tells of code that can't be had.
      .catch(() => {});
  };
}
