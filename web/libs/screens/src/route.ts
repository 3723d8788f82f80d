import { type ComponentType, lazy } from "react";
import type { RouteObject } from "react-router";
import type { Screen } from "./screen";

/** A screen's data for the layout and the prerender, on its route. */
export interface ScreenHandle {
  readonly screen: Screen;
  /** Shown by the layout beside the screen; it suspends until its code is loaded. */
  readonly Beside?: ComponentType;
}

/**
 * Makes a screen's route, with its pattern as id. The code is in the object form of `lazy`, because
 * the router waits for a lazy function before it runs the guards. Each router needs its own routes:
 * it removes the `lazy` parts that it has loaded.
 */
export function toRoute(screen: Screen): RouteObject {
  const { pattern, component, beside, load } = screen;
  const handle: ScreenHandle =
    beside === undefined
      ? { screen }
      : { screen, Beside: lazy(async () => ({ default: await beside() })) };
  const route: RouteObject = { id: pattern, path: pattern, lazy: { Component: component }, handle };
  return load === undefined ? route : { ...route, loader: load };
}
