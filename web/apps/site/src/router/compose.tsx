import { allScreens, type Layout, layouts, type Screen } from "@konomana/paths";
import type { RouteObject } from "react-router";
import { ErrorScreen } from "../error/ErrorScreen";
import { layoutRoute } from "../shell/layouts";
import { Root } from "../shell/Root";
import { checksOf, unmatched } from "./checks";

function screenOf(route: RouteObject): Screen {
  const screen = allScreens.find(({ pattern }) => pattern === route.path);
  if (screen === undefined) throw new Error(`No screen has the pattern ${route.path}.`);
  return screen;
}

/**
 * A route under the checks that its screen asks for. It is a copy down to its lazy parts: a router
 * crosses those off as it loads them, and the next one would find nothing to load.
 */
function checked(route: RouteObject): RouteObject {
  const own = { ...route };
  if (typeof route.lazy === "object") own.lazy = { ...route.lazy };
  const middleware = checksOf(screenOf(route));
  if (middleware.length > 0) own.middleware = middleware;
  return own;
}

/** Routes inside their layout, which stays when one of them fails. */
function inLayout(layout: Layout, children: RouteObject[]): RouteObject {
  const route = layoutRoute(layout);
  route.children = [{ ErrorBoundary: ErrorScreen, children }];
  return route;
}

/** Joins the domains' routes: each in its screen's layout, under its screen's checks. */
export function compose(screens: readonly RouteObject[]): RouteObject[] {
  const unknown: RouteObject = { path: "*", loader: unmatched, element: null };
  return [
    {
      Component: Root,
      ErrorBoundary: ErrorScreen,
      children: layouts
        .map((name) => {
          const own = screens.filter((route) => screenOf(route).layout === name).map(checked);
          return inLayout(name, name === "default" ? [...own, unknown] : own);
        })
        .filter(({ children }) => (children?.[0]?.children?.length ?? 0) > 0),
    },
  ];
}
