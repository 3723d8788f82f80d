import { connectApi } from "@konomana/http";
import { paths } from "@konomana/paths";
import { rememberCampaign, startSession } from "@konomana/session";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, type DataRouter, matchRoutes, type RouteObject } from "react-router";
import { RouterProvider } from "react-router/dom";
import { App } from "./App";
import { maintenanceStore } from "./maintenance/maintenance-store";
import { readPageData } from "./page-data";
import { createQueries } from "./queries";
import { guardChunks } from "./router/chunk-guard";
import { preloadLinkedRoutes } from "./router/preload";
import { settleRoutes } from "./router/settle";
import { createRoutes } from "./routes";
import { installTrustedTypes } from "./trusted-types";

let router: DataRouter | null = null;

/** Path, query and fragment of where the person is on their way to, or is. */
function destination(): string {
  const { pathname, search, hash } = router?.state.navigation.location ?? location;
  return pathname + search + hash;
}

function currentPath(): string {
  return location.pathname + location.search + location.hash;
}

function reload(path: string): void {
  if (path === currentPath()) location.reload();
  else location.assign(path);
}

/**
 * Whether the data that the page brought along is that of this address: one file serves every query,
 * so a screen that reads the query is drawn anew where there is one.
 */
function belongsToAddress(routes: RouteObject[]): boolean {
  const screen = matchRoutes(routes, location.pathname)?.at(-1)?.route;
  const { readsQuery } = (screen?.handle ?? {}) as { readsQuery?: boolean };
  return location.search === "" || readsQuery !== true;
}

async function start(): Promise<void> {
  installTrustedTypes();
  rememberCampaign(new URLSearchParams(location.search).get("campaign"));
  const queries = createQueries();
  const plainRoutes = createRoutes();
  const routes = guardChunks(plainRoutes, {
    destination,
    reload,
    storage: sessionStorage,
    now: Date.now,
  });
  const pageData = belongsToAddress(routes) ? readPageData() : null;

  startSession({
    queries,
    navigate: (path) => void router?.navigate(path),
    currentPath,
  });
  connectApi({
    onMaintenance: (info) => {
      const replace = location.pathname === paths.maintenance();
      maintenanceStore.enter(info, destination());
      void router?.navigate(paths.maintenance(), { replace });
    },
  });

  // Where a part can't be had even after a reload, the page stays as the server sent it.
  if (pageData !== null) await settleRoutes(routes, location.pathname);
  router = createBrowserRouter(routes, pageData === null ? {} : { hydrationData: pageData });
  if (!router.state.initialized) await firstNavigation(router);
  preloadLinkedRoutes(plainRoutes);

  const app = (
    <StrictMode>
      <App queries={queries}>
        <RouterProvider router={router} />
      </App>
    </StrictMode>
  );
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  if (pageData === null) createRoot(root).render(app);
  // In slices: the page is on the screen already, and a press meanwhile must not wait for all of it.
  else startTransition(() => void hydrateRoot(root, app));
}

/** Settles when the first screen is ready to be drawn, or has failed and its error is. */
function firstNavigation(starting: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = starting.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}

void start();
