import { useEffect, useState } from "react";
import { fetchMaintenance, type MaintenanceWindow } from "./maintenanceApi";

/** Windows are planned hours ahead: a tab that stays open need not ask often. */
const ASK_MS = 10 * 60_000;

const none: readonly MaintenanceWindow[] = [];

/**
 * The maintenance windows that are active or begin within a day, kept up to date while the tab is in sight; none
 * until the server has answered. Without a query cache: every page has this, and most have nothing else to keep.
 */
export function useMaintenanceWindows(): readonly MaintenanceWindow[] {
  const [windows, setWindows] = useState(none);
  useEffect(() => {
    const left = new AbortController();
    const ask = async () => {
      try {
        const answer = await fetchMaintenance(left.signal);
        if (!left.signal.aborted) setWindows(answer.windows);
      } catch {
        // What was known stays.
      }
    };
    void ask();
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") void ask();
    }, ASK_MS);
    return () => {
      clearInterval(timer);
      left.abort();
    };
  }, []);
  return windows;
}
