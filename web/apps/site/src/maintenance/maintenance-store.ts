import type { MaintenanceInfo } from "@konomana/http";
import { isInternalPath, paths } from "@konomana/paths";
import { useSyncExternalStore } from "react";

/** What is known of a maintenance (the specification, §3), and where it met the person. */
export interface MaintenanceState {
  /** The body of the 503; null when nothing has answered so. */
  readonly maintenanceInfo: MaintenanceInfo | null;
  /** Where to go when it is over. */
  readonly returnTo: string;
}

const KEY = "konomana.maintenance";
const none: MaintenanceState = { maintenanceInfo: null, returnTo: paths.home() };

/** One tab remembers for itself, across a reload of the maintenance page. */
function remembered(): MaintenanceState {
  const text = globalThis.sessionStorage?.getItem(KEY) ?? null;
  if (text === null) return none;
  const kept = JSON.parse(text) as MaintenanceState;
  return isInternalPath(kept.returnTo) ? kept : none;
}

let state: MaintenanceState | null = null;
const listeners = new Set<() => void>();

function set(next: MaintenanceState): void {
  state = next;
  for (const listener of listeners) listener();
}

export const maintenanceStore = {
  get: (): MaintenanceState => (state ??= remembered()),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },

  /** A call was answered with 503 while the person was at, or on the way to, `path`. */
  enter(maintenanceInfo: MaintenanceInfo, path: string): void {
    const onTheSpot = path === paths.maintenance() || !isInternalPath(path);
    const next = { maintenanceInfo, returnTo: onTheSpot ? this.get().returnTo : path };
    sessionStorage.setItem(KEY, JSON.stringify(next));
    set(next);
  },

  /** It is over: gives back the place to return to, and forgets. */
  leave(): string {
    const { returnTo } = this.get();
    sessionStorage.removeItem(KEY);
    set(none);
    return returnTo;
  },
};

export function useMaintenance(): MaintenanceState {
  return useSyncExternalStore(maintenanceStore.subscribe, maintenanceStore.get, () => none);
}
