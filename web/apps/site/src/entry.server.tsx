import { catalogueSource } from "@konomana/catalog";
import { snapshotSource as catalogueFrom } from "@konomana/catalog/snapshot";
import { deskSource } from "@konomana/desk";
import { snapshotSource as deskFrom } from "@konomana/desk/snapshot";
import { allScreens, type ScreenHandle } from "@konomana/paths";
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
import { pictureOf } from "./sharing/pictures";
import { sharingTags } from "./sharing/tags";
import type { Snapshot } from "./snapshot";
import { structuredData } from "./structured";

export { routeTable } from "./pages";
export { drawings } from "./sharing/pictures";

/** One prerendered page, in parts. */
export interface Page {
  /** What goes into the root element. */
  readonly app: string;
  /** The title and the meta tags that the screen wants in the head, and what it tells search engines. */
  readonly head: string;
  /** The element that carries the data to the browser. */
  readonly data: string;
  /** The screen's own loader data, for `_payload.json`; null where it says the same to everybody. */
  readonly payload: unknown;
  /** When what it shows was last changed, where that is known. */
  readonly modified: string | undefined;
  /** Kept from search engines. */
  readonly hidden: boolean;
  /** The source file of the screen, from the workspace's root. */
  readonly module: string;
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

/** Draws one page from the snapshot, as people will see it at `origin`. */
export async function renderPage(path: string, snapshot: Snapshot, origin: string): Promise<Page> {
  const handler = createStaticHandler(createRoutes());
  const context = new RouterContextProvider();
  context.set(catalogueSource, catalogueFrom(snapshot.catalogue, snapshot.desk));
  context.set(deskSource, deskFrom(snapshot.desk));
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
    // What takes its time is in its place all the same: otherwise an inline script would have to move it there.
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  );
  const { route, params } = result.matches.at(-1) ?? {};
  const handle = route?.handle as ScreenHandle | undefined;
  const screen = allScreens.find(({ pattern }) => pattern === route?.path);
  if (route === undefined || handle === undefined || screen === undefined)
    throw new Error(`${path} names no module.`);
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
      structuredData(handle, payload, origin),
    ].join(""),
    data: `<script type="application/json" id="${PAGE_DATA_ID}">${toInlineJson({ loaderData })}</script>`,
    payload,
    modified: handle.modified?.(payload),
    hidden: screen.hidden === true,
    module: handle.module,
  };
}
