import type { Screen } from "@konomana/screens";
import { hasTokens } from "@konomana/session";
import type { QueryClient } from "@tanstack/react-query";
import type { MiddlewareFunction } from "react-router";
import { lazyLayout } from "../shell/layouts";

/**
 * Starts a screen's code and queries for a person who may be signed in, without waiting for what the guards find out:
 * user, code and data come in one round trip instead of three. The server decides who may have the data.
 */
export function warmUp(screen: Screen, queries: QueryClient): MiddlewareFunction {
  return ({ request, params }) => {
    if (screen.scope === undefined || !hasTokens()) return;
    screen.warm?.(queries, { params, search: new URL(request.url).searchParams });
    // The navigation itself tells of code that can't be had.
    const code = [screen.component(), screen.beside?.(), lazyLayout(screen.layout)?.component()];
    void Promise.all(code).catch(() => {});
  };
}
