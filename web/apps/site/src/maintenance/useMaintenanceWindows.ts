import { useEffect, useState } from "react";
import { fetchMaintenance, type MaintenanceWindow } from "./maintenanceApi";

/** Polling interval. Windows are planned hours ahead, so an open tab need not poll often. */
const ASK_MS = 10 * 60_000;

const none: readonly MaintenanceWindow[] = [];

/**
 * The maintenance windows that are active or begin within a day, polled while the tab is visible.
 * Empty until the server has answered. Uses no query cache: every page has this hook, and most
 * pages need no cache otherwise.
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
        // The known windows stay.
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
