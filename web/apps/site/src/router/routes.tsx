import { type Layout, layouts, type Screen, toRoute } from "@konomana/screens";
import type { RouteObject } from "react-router";
import { ErrorScreen } from "../error/ErrorScreen";
import { withQueries } from "../lazyQueries";
import { layoutRoute } from "../shell/layouts";
import { DefaultLayout } from "../shell/layouts/DefaultLayout";
import { Root } from "../shell/Root";
import { checksOf, unmatched } from "./checks";
import { warmUp } from "./warmUp";

/** The id of a layout's route. Screens are added to it later. */
export function layoutId(layout: Layout): string {
  return `layout:${layout}`;
}

/**
 * The route of a screen with its checks and its error page, wrapped in the query client if it has
 * queries.
 */
export function screenRoute(screen: Screen): RouteObject {
  const { component, queries, scope } = screen;
  const checks = checksOf(screen);
  return {
    ...toRoute(screen),
    lazy: { Component: queries === false ? component : withQueries(component) },
    middleware: scope === undefined ? checks : [warmUp(screen), ...checks],
    ErrorBoundary: ErrorScreen,
  };
}

/** The error page of a screen whose layout is not loaded, e.g. when a check fails. */
function ErrorInDefaultLayout() {
  return (
    <DefaultLayout>
      <ErrorScreen />
    </DefaultLayout>
  );
}

/**
 * The routes of a router: the root with all layouts, and the given screens in their layouts. Route
 * ids do not depend on the given screens, because the data of the prerender finds its route by id.
 */
export function createRoutes(screens: readonly Screen[]): RouteObject[] {
  const unknown: RouteObject = {
    id: "*",
    path: "*",
    loader: unmatched,
    element: null,
    ErrorBoundary: ErrorScreen,
  };
  const frames = layouts.map((layout): RouteObject => {
    const own = screens.filter((screen) => screen.layout === layout);
    const children = own.map(screenRoute);
    const frame = layoutRoute(layout);
    frame.id = layoutId(layout);
    frame.children = layout === "default" ? [...children, unknown] : children;
    return frame;
  });
  const inRoot: RouteObject = {
    id: "layouts",
    ErrorBoundary: ErrorInDefaultLayout,
    children: frames,
  };
  return [{ id: "root", Component: Root, ErrorBoundary: ErrorScreen, children: [inRoot] }];
}
