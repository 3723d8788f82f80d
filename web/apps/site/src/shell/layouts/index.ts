import type { Layout } from "@konomana/screens";
import type { ComponentType } from "react";
import type { RouteObject } from "react-router";
import { withQueries } from "../../lazyQueries";
import { DefaultLayout } from "./DefaultLayout";
import { NoneLayout } from "./NoneLayout";

/** A layout that is loaded with the first of its screens. */
interface LazyLayout {
  readonly component: () => Promise<ComponentType>;
  /**
   * The source file of `component`, relative to the workspace's root. The build of the prerender
   * fills it in.
   */
  readonly module?: string;
}

function defineLayout(layout: LazyLayout): LazyLayout {
  return layout;
}

const lazyLayouts: Readonly<Partial<Record<Layout, LazyLayout>>> = {
  mypage: defineLayout({
    component: async () => (await import("./MypageLayout")).MypageLayout,
  }),
  custom: defineLayout({
    component: async () => (await import("./CustomLayout")).CustomLayout,
  }),
  lecture: defineLayout({
    component: async () => (await import("./LectureLayout")).LectureLayout,
  }),
  lecturev2: defineLayout({
    component: async () => (await import("./LectureV2Layout")).LectureV2Layout,
  }),
  test: defineLayout({
    component: async () => (await import("./TestLayout")).TestLayout,
  }),
};

/**
 * The lazy part of a layout. `undefined` for the two layouts of the public pages, which are not
 * lazy.
 */
export function lazyLayout(layout: Layout): LazyLayout | undefined {
  return lazyLayouts[layout];
}

/**
 * A new route for one of the seven layouts (the specification, §2). Layouts of signed-in pages load
 * the query client.
 */
export function layoutRoute(layout: Layout): RouteObject {
  const lazy = lazyLayouts[layout];
  if (lazy !== undefined) return { lazy: { Component: withQueries(lazy.component) } };
  return { Component: layout === "none" ? NoneLayout : DefaultLayout };
}
