import type { SafeStorage } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { MiddlewareFunction, RouteObject } from "react-router";

type Lazy = NonNullable<RouteObject["lazy"]>;

/** The minimum time between two automatic reloads for the same path (the specification, §9). */
export const RELOAD_GUARD_MS = 10_000;

const KEY = "konomana.reloaded:";

/** The browser functions that the guard uses. */
export interface ReloadPorts {
  /** The destination path with its query. */
  readonly destination: () => string;
  /** Opens a path with a full page load. */
  readonly reload: (path: string) => void;
  readonly storage: Pick<SafeStorage, "read" | "write">;
  readonly now: () => number;
  /** Whether the site's server can be reached. */
  readonly isReachable: () => Promise<boolean>;
  /** Waits until the person retries. `null` while the first page opens, which has no alert. */
  readonly untilAgain: () => Promise<void> | null;
}

/** Whether the page may reload for `path`. Records the reload if so. */
export function mayReload(path: string, { storage, now }: ReloadPorts): boolean {
  const last = Number(storage.read(KEY + path) ?? Number.NEGATIVE_INFINITY);
  if (now() - last < RELOAD_GUARD_MS) return false;
  // Without storage that survives the reload, a reload loop could not be detected.
  return storage.write(KEY + path, String(now()));
}

/**
 * Waits on the current page until the person retries. Throws `error` while the first page opens,
 * which has no alert.
 */
async function waitUntilAgain(error: unknown, { untilAgain }: ReloadPorts): Promise<void> {
  const again = untilAgain();
  if (again === null) throw error;
  await again;
}

/**
 * Loads a part of the page. After a failure, usually because a new version was published and the
 * old file is gone, the page reloads. A second failure within the guard's time is thrown. Without a
 * connection the navigation waits instead: a full load would end in the browser's own error page.
 */
export async function loadOrReload<Part>(
  load: () => Promise<Part>,
  ports: ReloadPorts,
): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!(await ports.isReachable())) {
      await waitUntilAgain(error, ports);
      return loadOrReload(load, ports);
    }
    const path = ports.destination();
    if (!mayReload(path, ports)) throw error;
    ports.reload(path);
    // The document is being replaced, so nothing is rendered meanwhile.
    return new Promise<Part>(() => {});
  }
}

function guardLazy(lazy: Lazy, ports: ReloadPorts): Lazy {
  if (typeof lazy === "function") return () => loadOrReload(lazy, ports);
  const parts = Object.entries(lazy) as [string, () => Promise<unknown>][];
  return Object.fromEntries(
    parts.map(([key, load]) => [key, () => loadOrReload(load, ports)]),
  ) as Lazy;
}

/**
 * Guards a loader or a middleware. Without a connection the navigation waits until the person
 * retries.
 */
function guardCall<Args extends unknown[]>(
  call: (...args: Args) => unknown,
  ports: ReloadPorts,
): (...args: Args) => Promise<unknown> {
  return async function guarded(...args) {
    try {
      return await call(...args);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "NETWORK") throw error;
      await waitUntilAgain(error, ports);
      return guarded(...args);
    }
  };
}

/** The routes with their code, loaders and middleware guarded. */
export function guardRoutes(routes: readonly RouteObject[], ports: ReloadPorts): RouteObject[] {
  return routes.map((route) => {
    const { lazy, loader, middleware, children } = route;
    const guarded = { ...route };
    if (lazy !== undefined) guarded.lazy = guardLazy(lazy, ports);
    if (typeof loader === "function") guarded.loader = guardCall(loader, ports);
    if (middleware !== undefined)
      guarded.middleware = middleware.map((one) => guardCall(one, ports) as MiddlewareFunction);
    if (children !== undefined) guarded.children = guardRoutes(children, ports);
    return guarded as RouteObject;
  });
}
