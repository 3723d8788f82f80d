import { catalogueSource } from "@konomana/catalog";
import { type Snapshot, snapshotSource } from "@konomana/catalog/snapshot";
import { allScreens, paths, type Serving } from "@konomana/paths";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
} from "react-router";
import { App } from "./App";
import { PAGE_DATA_ID, toInlineJson } from "./page-data";
import { createQueries } from "./queries";
import { createRoutes } from "./routes";

/** One prerendered page, in parts. */
export interface Page {
  /** What goes into the root element. */
  readonly app: string;
  /** The title and the meta tags that the screen wants in the head. */
  readonly head: string;
  /** The element that carries the data to the browser. */
  readonly data: string;
  /** The screen's own loader data, for `_payload.json`. */
  readonly payload: unknown;
  /** The source file of the screen, from the workspace's root. */
  readonly module: string;
}

/** The paths that are prerendered, in the order of the table of screens and of the catalogue. */
export function pagePaths({ courses }: Snapshot): string[] {
  return allScreens.flatMap(({ serving, pattern }) => {
    if (serving === "prerendered") return [pattern];
    return serving === "per-course" ? courses.map(({ id }) => paths.course(id)) : [];
  });
}

/** What the static service knows of the site's paths. */
export interface RouteTable {
  /** Paths with a page of their own, at `<path>/index.html`. */
  readonly prerendered: readonly string[];
  /** Patterns that the empty shell serves, kept from search engines. */
  readonly shell: readonly string[];
  /** Patterns whose screen may exist although the build does not know it. */
  readonly maybe: readonly string[];
}

function patternsOf(kind: Serving): string[] {
  return allScreens.filter(({ serving }) => serving === kind).map(({ pattern }) => pattern);
}

export function routeTable(snapshot: Snapshot): RouteTable {
  return {
    prerendered: pagePaths(snapshot),
    shell: patternsOf("client"),
    maybe: patternsOf("per-course"),
  };
}

/** React writes the tags that belong into the head in front of the app; they are moved, not copied. */
const HEAD_TAGS = /<title>[\s\S]*?<\/title>|<(?:meta|link)\b[^>]*>/g;

function splitHead(html: string): { head: string; app: string } {
  const head: string[] = [];
  const app = html.replace(HEAD_TAGS, (tag) => {
    head.push(tag);
    return "";
  });
  return { head: head.join(""), app };
}

/** Draws one page from the snapshot. */
export async function renderPage(path: string, snapshot: Snapshot): Promise<Page> {
  const handler = createStaticHandler(createRoutes());
  const context = new RouterContextProvider();
  context.set(catalogueSource, snapshotSource(snapshot));
  const result = await handler.query(new Request(new URL(path, "https://site.invalid")), {
    requestContext: context,
  });
  if (result instanceof Response || result.statusCode !== 200 || result.errors !== null) {
    throw new Error(`${path} can't be prerendered.`, {
      cause: result instanceof Response ? result.status : result.errors,
    });
  }
  const { prelude } = await prerender(
    <StrictMode>
      <App queries={createQueries()}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, result)}
          context={result}
          hydrate={false}
        />
      </App>
    </StrictMode>,
  );
  const screen = result.matches.at(-1)?.route;
  const { module } = (screen?.handle ?? {}) as { module?: string };
  if (screen === undefined || module === undefined) throw new Error(`${path} names no module.`);
  const { loaderData } = result;
  const html = await new Response(prelude).text();
  const headings = html.match(/<h1\b/g)?.length ?? 0;
  if (headings !== 1) throw new Error(`${path} has ${headings} main headings; a page has one.`);
  return {
    ...splitHead(html),
    data: `<script type="application/json" id="${PAGE_DATA_ID}">${toInlineJson({ loaderData })}</script>`,
    payload: loaderData[screen.id],
    module,
  };
}
