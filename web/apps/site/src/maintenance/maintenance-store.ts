import { createStore, tabStorage, useStore } from "@konomana/browser";
import type { MaintenanceInfo } from "@konomana/http";
import { isInternalPath, paths } from "@konomana/paths";

/** The known maintenance (the specification, §3), and the page on which it was met. */
export interface MaintenanceState {
  /** The body of the 503 response. `null` if there was none. */
  readonly maintenanceInfo: MaintenanceInfo | null;
  /** The path to return to afterwards. */
  readonly returnTo: string;
}

const KEY = "konomana.maintenance";
const none: MaintenanceState = { maintenanceInfo: null, returnTo: paths.home() };

/** Stored per tab, for a reload of the maintenance page. */
function load(): MaintenanceState {
  const stored = tabStorage.readJson(KEY) as MaintenanceState | null;
  return isInternalPath(stored?.returnTo) && stored !== null ? stored : none;
}

const store = createStore(none, load);

export const maintenanceStore = {
  ...store,

  /** Records a 503 response that came while the person was on `path` or navigating to it. */
  enter(maintenanceInfo: MaintenanceInfo, path: string): void {
    const onTheSpot = path === paths.maintenance() || !isInternalPath(path);
    const next = { maintenanceInfo, returnTo: onTheSpot ? store.get().returnTo : path };
    tabStorage.writeJson(KEY, next);
    store.set(next);
  },

  /** Resets the state when the maintenance is over. Returns the path to return to. */
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
