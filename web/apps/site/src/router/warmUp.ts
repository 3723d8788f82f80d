import type { Screen } from "@konomana/screens";
import { hasTokens } from "@konomana/session";
import type { QueryClient } from "@tanstack/react-query";
import type { MiddlewareFunction } from "react-router";

/**
 * Starts the queries of a screen for a person who may be signed in, without waiting for what the guards find out: the
 * person, the code (which the router asks for by itself) and the data come in one round trip. The server decides who may
 * have the data.
 */
export function warmUp(screen: Screen, queries: QueryClient): MiddlewareFunction {
  return ({ request, params }) => {
    if (screen.scope === undefined || !hasTokens()) return;
    screen.warm?.(queries, { params, search: new URL(request.url).searchParams });
  };
}
