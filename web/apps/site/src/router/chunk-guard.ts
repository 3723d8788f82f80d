import type { SafeStorage } from "@konomana/browser";
import type { RouteObject } from "react-router";

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
}

/** Whether the page was reloaded for `path` just now; if not, takes note that it is about to be. */
export function mayReload(path: string, { storage, now }: ReloadPorts): boolean {
  const last = Number(storage.read(KEY + path) ?? Number.NEGATIVE_INFINITY);
  if (now() - last < RELOAD_GUARD_MS) return false;
  // What does not outlive the reload can't end a loop of them.
  return storage.write(KEY + path, String(now()));
}

/**
 * Loads a part of the page. Where that fails, usually because a new version has been published and
 * the old file is gone, the page is loaded anew; a second failure within the guard's time is thrown.
 */
export async function loadOrReload<Part>(
  load: () => Promise<Part>,
  ports: ReloadPorts,
): Promise<Part> {
  try {
    return await load();
  } catch (error) {
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

/** The same routes, with every lazily loaded part under the guard. */
export function guardChunks(routes: readonly RouteObject[], ports: ReloadPorts): RouteObject[] {
  return routes.map((route) => {
    const guarded = { ...route };
    if (route.lazy !== undefined) guarded.lazy = guardLazy(route.lazy, ports);
    if (route.children !== undefined) guarded.children = guardChunks(route.children, ports);
    return guarded as RouteObject;
  });
}
