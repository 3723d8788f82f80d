import { catalogueSource } from "@konomana/catalog";
import { snapshotSource as catalogueFrom } from "@konomana/catalog/snapshot";
import { examSource } from "@konomana/exam-card";
import { snapshotSource as examsFrom } from "@konomana/exam-card/snapshot";
import { supportSource } from "@konomana/support";
import { snapshotSource as deskFrom } from "@konomana/support/snapshot";
import type { Layout, Screen, ScreenHandle } from "@konomana/screens";
import { StrictMode } from "react";
import { prerender } from "react-dom/static";
import {
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouter,
  StaticRouterProvider,
} from "react-router";
import { App } from "./App";
import { PAGE_DATA_ID, toInlineJson } from "./page-data";
import { type Domain, domains, loadAllScreens } from "./router/domains";
import { createRoutes } from "./router/routes";
import { lazyLayout } from "./shell/layouts";
import { PagePreview } from "./shell/PagePreview";
import { pictureOf } from "./sharing/pictures";
import { sharingTags } from "./sharing/sharingTags";
import type { Snapshot } from "./siteSnapshot";
import { structuredData } from "./structured";

export { routeTable } from "./routeTable";
export { loadAllScreens } from "./router/domains";
export { drawings } from "./sharing/pictures";

/** The parts of a prerendered page. */
export interface Page {
  /** The HTML of the root element. */
  readonly app: string;
  /** The title and meta tags of the screen, and its structured data. */
  readonly head: string;
  /** The element with the data for the browser. */
  readonly data: string;
  /** The screen's loader data for `_payload.json`. `null` if the screen has none. */
  readonly payload: unknown;
  /** The last change of its content, if known. */
  readonly modified: string | undefined;
  /** Excluded from search engines. */
  readonly hidden: boolean;
  /** The source files of the screen and of its domain, relative to the workspace's root. */
  readonly modules: readonly string[];
}

/** The source file of the query client, relative to the workspace's root. */
export const QUERIES_MODULE = "apps/site/src/queryClient.tsx";

/** React renders head tags in front of the app. They are moved, not copied. */
const HEAD_TAGS = /<title>[\s\S]*?<\/title>|<(?:meta|link)\b[^>]*>/g;

function splitHead(html: string): { head: string; app: string } {
  const head: string[] = [];
  const app = html.replace(HEAD_TAGS, (tag) => {
    head.push(tag);
    return "";
  });
  return { head: head.join(""), app };
}

/**
 * The source files that a browser loads for a screen: its own, its domain's, its layout's and the
 * query client.
 */
export function modulesOf(screen: Screen): string[] {
  const has = ({ addresses }: Domain) =>
    Object.values(addresses).some(({ pattern }) => pattern === screen.pattern);
  const layout = lazyLayout(screen.layout);
  const parts = [
    domains.find(has),
    screen,
    ...(layout === undefined ? [] : [layout]),
    ...(screen.queries === false ? [] : [{ module: QUERIES_MODULE }]),
  ];
  return parts
    .map((part) => part?.module)
    .map((module) => {
      if (module === undefined) throw new Error(`The build names no module for ${screen.pattern}.`);
      return module;
    });
}

/** Renders the static preview of a layout. */
export async function renderPreview(layout: Layout): Promise<string> {
  const { prelude } = await prerender(
    <StaticRouter location="/">
      <PagePreview layout={layout} />
    </StaticRouter>,
  );
  return new Response(prelude).text();
}

/** Renders one page from the snapshot, as served at `origin`. */
export async function renderPage(path: string, snapshot: Snapshot, origin: string): Promise<Page> {
  const handler = createStaticHandler(createRoutes(await loadAllScreens()));
  const context = new RouterContextProvider();
  const { catalogue, desk, exam } = snapshot;
  context.set(catalogueSource, catalogueFrom(catalogue, { ...desk, exams: exam.exams }));
  context.set(supportSource, deskFrom(desk));
  context.set(examSource, examsFrom(exam));
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
      <App>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, result)}
          context={result}
          hydrate={false}
        />
      </App>
    </StrictMode>,
    // Disables streaming in chunks: late content would need an inline script that moves it into
    // place.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const { route, params } = result.matches.at(-1) ?? {};
  const { screen } = (route?.handle ?? {}) as Partial<ScreenHandle>;
  if (route === undefined || screen === undefined) throw new Error(`${path} has no screen.`);
  const { loaderData } = result;
  const payload: unknown = loaderData[route.id] ?? null;
  const html = await new Response(prelude).text();
  const headings = html.match(/<h1\b/g)?.length ?? 0;
  if (headings !== 1) throw new Error(`${path} has ${headings} main headings; a page has one.`);
  const { head, app } = splitHead(html);
  return {
    app,
    head: [
      head,
      sharingTags({
        path,
        screen,
        head,
        picture: pictureOf(screen.pattern, Number(params?.["id"]), snapshot),
        origin,
      }),
      structuredData(screen, payload, origin),
    ].join(""),
    data: `<script type="application/json" id="${PAGE_DATA_ID}">${toInlineJson({ loaderData })}</script>`,
    payload,
    modified: screen.modified?.(payload),
    hidden: screen.hidden === true,
    modules: modulesOf(screen),
  };
}
