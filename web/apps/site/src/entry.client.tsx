import { tabStorage } from "@konomana/browser";
import { connectApi } from "@konomana/http";
import { paths } from "@konomana/paths";
import type { ScreenHandle } from "@konomana/screens";
import { runningExam, startSession } from "@konomana/session";
import { rememberCampaign } from "@konomana/visitor";
import { installTrustedTypes } from "@konomana/ui-base";
import { startTransition, StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, type DataRouter } from "react-router";
import { RouterProvider } from "react-router/dom";
import { App } from "./App";
import { maintenanceStore } from "./maintenance/maintenance-store";
import { readPageData } from "./page-data";
import { personalData } from "./lazyQueries";
import { findScreen, loadScreens } from "./router/domains";
import { guardRoutes, loadOrReload } from "./router/loadGuard";
import { preloadLinkedScreens } from "./router/preload";
import { createRoutes, layoutId, screenRoute } from "./router/routes";
import { settleRoutes } from "./router/settle";
import { endStall, isReachable, stall } from "./router/stall";

let router: DataRouter | null = null;

/** Path, query and fragment of the pending navigation, or of the current page. */
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
 * Whether the page's data belongs to the current address. One file serves every query, so a screen
 * that reads the query renders again if the address has one.
 */
async function belongsToAddress(): Promise<boolean> {
  return location.search === "" || (await findScreen(location.pathname))?.readsQuery !== true;
}

/** Whether the current page requires a signed-in user. */
function isPrivate(): boolean {
  const handle = router?.state.matches.at(-1)?.route.handle as ScreenHandle | undefined;
  return handle?.screen.scope !== undefined;
}

async function start(): Promise<void> {
  installTrustedTypes();
  rememberCampaign(new URLSearchParams(location.search).get("campaign"));
  const ports = {
    destination,
    reload,
    storage: tabStorage,
    now: Date.now,
    isReachable,
    untilAgain: () => (router?.state.initialized ? stall() : null),
  };
  const load = (path: string) => loadOrReload(() => loadScreens(path), ports);
  const routes = guardRoutes(createRoutes(await load(location.pathname)), ports);
  const pageData = (await belongsToAddress()) ? readPageData() : null;

  startSession({
    personal: personalData,
    navigate: (path) => void router?.navigate(path),
    currentPath,
    isPrivate,
  });
  connectApi({
    onMaintenance: (info) => {
      // A running exam stays open. The device keeps its answers until the server accepts them.
      if (runningExam.isAt(currentPath())) return;
      const replace = location.pathname === paths.maintenance();
      maintenanceStore.enter(info, destination());
      void router?.navigate(paths.maintenance(), { replace });
    },
  });

  // If a chunk fails to load even after a reload, the page stays as the server sent it.
  if (pageData !== null) await settleRoutes(routes, location.pathname);
  router = createBrowserRouter(routes, {
    ...(pageData === null ? {} : { hydrationData: pageData }),
    // The screens of a domain are added to their layouts when one of its addresses is first opened.
    patchRoutesOnNavigation: async ({ path, patch }) => {
      for (const screen of await load(path)) {
        patch(layoutId(screen.layout), guardRoutes([screenRoute(screen)], ports));
      }
    },
  });
  if (!router.state.initialized) await firstNavigation(router);
  endStallWithNavigation(router);
  preloadLinkedScreens();

  const app = (
    <StrictMode>
      <App>
        <RouterProvider router={router} />
      </App>
    </StrictMode>
  );
  const root = document.getElementById("root");
  if (root === null) throw new Error("The page has no root element.");
  if (pageData === null) createRoot(root).render(app);
  // In a transition, so hydration runs in slices: the page is visible already, and a press must not
  // wait for all of it.
  else startTransition(() => void hydrateRoot(root, app));
}

/** Closes the alert of a stalled navigation when another navigation replaces it. */
function endStallWithNavigation(running: DataRouter): void {
  let under = running.state.navigation.location;
  running.subscribe(({ navigation: { location: next } }) => {
    if (next !== under) endStall();
    under = next;
  });
}

/** Settles when the first screen or its error can be rendered. */
function firstNavigation(starting: DataRouter): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = starting.subscribe(({ initialized }) => {
      if (!initialized) return;
      unsubscribe();
      resolve();
    });
  });
}

start().catch((error: unknown) => {
  // `start.ts` listens to this: it holds form submissions back until the app has started.
  dispatchEvent(new Event("start-failed"));
  throw error;
});
