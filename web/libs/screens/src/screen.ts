import type { Crumb } from "@konomana/paths";
import type { QueryClient } from "@tanstack/react-query";
import type { ComponentType } from "react";
import type { LoaderFunctionArgs } from "react-router";
import type { RouteParams } from "./params";

/** The seven layouts (the specification, §2). */
export const layouts = [
  "default",
  "mypage",
  "custom",
  "lecture",
  "lecturev2",
  "test",
  "none",
] as const;

export type Layout = (typeof layouts)[number];

/** Permissions in a user's `scope` list. */
export type Scope = "learner" | "guardian" | "staff:content" | "staff:support" | "staff:commerce";

/**
 * How a screen is served. `prerendered` is one HTML file made at build. `per-…` is one file for
 * each known item, with its identifier for `:id`. `client` is the empty shell, hidden from search
 * engines.
 */
export type Serving = "prerendered" | ServingPer | "client";

/** Screens with one page for each item. */
export type ServingPer = "per-course" | "per-teacher" | "per-notice" | "per-answer";

/** The arguments of `warm`. */
export interface WarmArgs {
  readonly params: RouteParams;
  readonly search: URLSearchParams;
}

/** The definition of a screen. `Data` is the result of its `load`. */
export interface Screen<Data = unknown> {
  /** The pattern of its path, from `@konomana/paths`. */
  readonly pattern: string;
  readonly layout: Layout;
  /** Set if sign-in is required: the permission that the user needs, or `any`. */
  readonly scope?: Scope | "any";
  readonly serving: Serving;
  /** Prerendered, but hidden from search engines. */
  readonly hidden?: true;
  /** The validity check of the specification, §5; without one every parameter is valid. */
  readonly valid?: (params: RouteParams) => boolean;
  /** Loads the screen's code. */
  readonly component: () => Promise<ComponentType>;
  /**
   * The source file of `component`, relative to the workspace root. The build of the prerender sets
   * it.
   */
  readonly module?: string;
  /** Loads the component that the layout shows beside the screen. */
  readonly beside?: () => Promise<ComponentType>;
  /** Loads the screen's initial data; the prerender stores it beside the page. */
  readonly load?: (args: LoaderFunctionArgs) => Promise<Data>;
  /** Starts the screen's queries for a signed-in person while its code and the user are loading. */
  readonly warm?: (queries: QueryClient, args: WarmArgs) => readonly Promise<void>[];
  /** False if the screen has no queries, so that the query client need not be loaded. */
  readonly queries?: false;
  /** The screen shows a video at once, so its page loads hls.js early. */
  readonly playsVideo?: true;
  /** The screen depends on the query string, so one file can't serve every address. */
  readonly readsQuery?: boolean;
  /** When the page's content was last changed (RFC 3339, or a day), if known. */
  modified?(data: Data): string | undefined;
  /** The breadcrumbs below the front page, ending with the page itself. */
  crumbs?(data: Data): readonly Crumb[];
  /**
   * The page's JSON-LD for search engines. Only the prerender writes it; `absolute` turns a path
   * into a full address.
   */
  structured?(data: Data, absolute: (path: string) => string): readonly object[];
}

/** Defines a screen in its domain. The site adds its layout and its checks. */
export function defineScreen<Data>(screen: Screen<Data>): Screen {
  return screen as Screen;
}
