import { matchRoutes, type RouteObject } from "react-router";

/** Loads the lazy parts of a route and assigns them to it. */
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
 * Loads the screens of an address before the router starts. With a lazy route React would discard
 * the prerendered page and render it again.
 */
export async function settleRoutes(routes: RouteObject[], path: string): Promise<void> {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(matches.map(({ route }) => settleRoute(route)));
}
