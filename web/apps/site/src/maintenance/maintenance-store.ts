import { createStore, tabStorage, useStore } from "@konomana/browser";
import type { MaintenanceInfo } from "@konomana/http";
import { isInternalPath, paths } from "@konomana/paths";

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
function load(): MaintenanceState {
  const stored = tabStorage.readJson(KEY) as MaintenanceState | null;
  return isInternalPath(stored?.returnTo) && stored !== null ? stored : none;
}

const store = createStore(none, load);

export const maintenanceStore = {
  ...store,

  /** A call was answered with 503 while the person was at, or on the way to, `path`. */
  enter(maintenanceInfo: MaintenanceInfo, path: string): void {
    const onTheSpot = path === paths.maintenance() || !isInternalPath(path);
    const next = { maintenanceInfo, returnTo: onTheSpot ? store.get().returnTo : path };
    tabStorage.writeJson(KEY, next);
    store.set(next);
  },

  /** It is over: gives back the place to return to, and forgets. */
  leave(): string {
    const { returnTo } = store.get();
    tabStorage.remove(KEY);
    store.set(none);
    return returnTo;
  },
};

export function useMaintenance(): MaintenanceState {
  return useStore(store);
}
