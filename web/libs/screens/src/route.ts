import { type ComponentType, lazy } from "react";
import type { RouteObject } from "react-router";
import type { Screen } from "./screen";

/** What a screen's route says of it to the layout and to the prerender. */
export interface ScreenHandle {
  readonly screen: Screen;
  /** What the layout shows beside the screen; it suspends until its code is there. */
  readonly Beside?: ComponentType;
}

/**
 * A route of a screen, named by its pattern. Its code is in an object of lazy parts: the router would wait for a lazy
 * function before it runs the guards. Each router needs routes of its own: it crosses off what it has loaded.
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
