import type { SafeStorage } from "@konomana/browser";
import { ApiError } from "@konomana/http";
import type { MiddlewareFunction, RouteObject } from "react-router";

type Lazy = NonNullable<RouteObject["lazy"]>;

/** A page reloads itself for the same path at most once in this time (the specification, §9). */
export const RELOAD_GUARD_MS = 10_000;

const KEY = "konomana.reloaded:";

/** What the guard touches of the browser. */
export interface ReloadPorts {
  /** The path, with its query, that the person is on their way to. */
  readonly destination: () => string;
  /** Opens a path with a full load. */
  readonly reload: (path: string) => void;
  readonly storage: Pick<SafeStorage, "read" | "write">;
  readonly now: () => number;
  /** Whether the site's server can be reached. */
  readonly isReachable: () => Promise<boolean>;
  /** Waits until the person retries; null while the first page opens, which has no alert. */
  readonly untilAgain: () => Promise<void> | null;
}

/** Whether the page was reloaded for `path` just now; if not, takes note that it is about to be. */
export function mayReload(path: string, { storage, now }: ReloadPorts): boolean {
  const last = Number(storage.read(KEY + path) ?? Number.NEGATIVE_INFINITY);
  if (now() - last < RELOAD_GUARD_MS) return false;
  // What does not outlive the reload can't end a loop of them.
  return storage.write(KEY + path, String(now()));
}

/** Waits on the open page until the person retries. Throws `error` while the first page opens, which has no alert. */
async function waitUntilAgain(error: unknown, { untilAgain }: ReloadPorts): Promise<void> {
  const again = untilAgain();
  if (again === null) throw error;
  await again;
}

/**
 * Loads a part of the page. Where that fails, usually because a new version has been published and
 * the old file is gone, the page is loaded anew; a second failure within the guard's time is thrown.
 * Without a connection the navigation waits instead: a full load would end in the browser's own error page.
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
    // The document is going away; nothing of it should show in the meantime.
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

/** The same loader or middleware; without a connection the navigation waits until the person tries again. */
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

/** The same routes, with their code, loaders and middleware guarded. */
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
