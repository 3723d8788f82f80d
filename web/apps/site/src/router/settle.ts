import { matchRoutes, type RouteObject } from "react-router";

/** Loads what a route loads lazily and puts it on the route. */
async function settleRoute(route: RouteObject): Promise<void> {
  const { lazy } = route;
  if (lazy === undefined) return;
  const loaded =
    typeof lazy === "function"
      ? await lazy()
      : Object.fromEntries(
          await Promise.all(
            Object.entries(lazy).map(async ([key, load]) => [key, await (load as () => unknown)()]),
          ),
        );
  Object.assign(route, loaded, { lazy: undefined });
}

/**
 * Loads the screens that an address shows, before the router starts: a lazy route would make React
 * throw the prerendered page away and draw it anew.
 */
export async function settleRoutes(routes: RouteObject[], path: string): Promise<void> {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(matches.map(({ route }) => settleRoute(route)));
}
