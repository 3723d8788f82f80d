import { type Layout, layouts, type Screen, toRoute } from "@konomana/screens";
import type { QueryClient } from "@tanstack/react-query";
import type { RouteObject } from "react-router";
import { ErrorScreen } from "../error/ErrorScreen";
import { layoutRoute } from "../shell/layouts";
import { Root } from "../shell/Root";
import { checksOf, unmatched } from "./checks";
import { warmUp } from "./warmUp";

/** The route of a layout, which further screens are put into. */
export function layoutId(layout: Layout): string {
  return `layout:${layout}`;
}

/** A screen's route with its checks and its error page. `queries` are warmed up, where they are given. */
export function screenRoute(screen: Screen, queries?: QueryClient): RouteObject {
  const middleware = checksOf(screen);
  if (queries !== undefined) middleware.unshift(warmUp(screen, queries));
  return { ...toRoute(screen), middleware, ErrorBoundary: ErrorScreen };
}

/**
 * The routes of a router: the frame of the site with all layouts, and the given screens in theirs. Names are the same
 * whichever screens there are: data of the prerender finds its route by name.
 */
export function createRoutes(screens: readonly Screen[], queries?: QueryClient): RouteObject[] {
  const unknown: RouteObject = {
    id: "*",
    path: "*",
    loader: unmatched,
    element: null,
    ErrorBoundary: ErrorScreen,
  };
  const frames = layouts.map((layout): RouteObject => {
    const own = screens.filter((screen) => screen.layout === layout);
    const children = own.map((screen) => screenRoute(screen, queries));
    const frame = layoutRoute(layout);
    frame.id = layoutId(layout);
    frame.children = layout === "default" ? [...children, unknown] : children;
    return frame;
  });
  return [{ id: "root", Component: Root, ErrorBoundary: ErrorScreen, children: frames }];
}
