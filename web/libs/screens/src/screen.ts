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

/** The permissions that a user's `scope` list may hold. */
export type Scope = "learner" | "guardian" | "staff:content" | "staff:support" | "staff:commerce";

/**
 * How a screen reaches the browser:
 * `prerendered` is one HTML file made at build; those `per` something are one for each of them that the
 * build knows, with its identifier for `:id`; `client` is the empty shell, kept from search engines.
 */
export type Serving = "prerendered" | ServingPer | "client";

/** What has a page for each of its kind. */
export type ServingPer = "per-course" | "per-teacher" | "per-notice" | "per-answer";

/** What the queries of a screen are chosen by. */
export interface WarmArgs {
  readonly params: RouteParams;
  readonly search: URLSearchParams;
}

/** Everything about one screen. `Data` is what its `load` gives. */
export interface Screen<Data = unknown> {
  /** The pattern of its address, from `@konomana/paths`. */
  readonly pattern: string;
  readonly layout: Layout;
  /** Set where sign-in is required: the permission that the signed-in user needs, or `any` where none is. */
  readonly scope?: Scope | "any";
  readonly serving: Serving;
  /** Prerendered, but kept from search engines. */
  readonly hidden?: true;
  /** The validity check of the specification, §5; a screen without one takes every parameter. */
  readonly valid?: (params: RouteParams) => boolean;
  /** Fetches the screen's code. */
  readonly component: () => Promise<ComponentType>;
  /** The source file of `component`, from the workspace's root. The build of the prerender fills it in. */
  readonly module?: string;
  /** Fetches what the layout shows beside the screen. */
  readonly beside?: () => Promise<ComponentType>;
  /** The data that the screen is opened with; the prerender stores it beside the page. */
  readonly load?: (args: LoaderFunctionArgs) => Promise<Data>;
  /** Starts the queries of a signed-in person's screen, while its code and the person are still on their way. */
  readonly warm?: (queries: QueryClient, args: WarmArgs) => readonly Promise<void>[];
  /** False where the screen has no queries: the query client need not be loaded for it. */
  readonly queries?: false;
  /** The screen reads the query, so that one file can't show it for every address. */
  readonly readsQuery?: boolean;
  /** When what the page shows was last changed (RFC 3339, or a day), where that is known. */
  modified?(data: Data): string | undefined;
  /** The way to the page below the front page, the page itself last. */
  crumbs?(data: Data): readonly Crumb[];
  /**
   * What the page tells search engines in JSON-LD. The prerender alone writes it; `absolute` makes whole
   * addresses of paths.
   */
  structured?(data: Data, absolute: (path: string) => string): readonly object[];
}

/** Defines a screen in its domain; the site puts it into its layout, under its checks. */
export function defineScreen<Data>(screen: Screen<Data>): Screen {
  return screen as Screen;
}
