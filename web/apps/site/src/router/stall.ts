import { createStore, useStore } from "@konomana/browser";
import { alertStore, closeMessage, showMessage } from "@konomana/ui-base";
import { useNavigation } from "react-router";

/** The alert that is shown while a navigation waits for a connection. */
export const STALLED = "インターネットにつながらないため、ページを開けませんでした。";
/** Timeout of the check whether the server can be reached. */
const REACH_MS = 5_000;

/** Whether the current navigation waits for a connection. */
const stalledStore = createStore(false);
let again: Promise<void> | null = null;

/** Whether the site's server responds. */
export async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(REACH_MS);
    await fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}

/** Shows an alert about the missing connection and waits until its button is pressed. */
export function stall(): Promise<void> {
  stalledStore.set(true);
  again ??= new Promise((resolve) => {
    showMessage(STALLED, () => {
      endStall();
      resolve();
    });
  });
  return again;
}

/** Ends the wait, because the navigation is retried or replaced. */
export function endStall(): void {
  again = null;
  stalledStore.set(false);
  if (alertStore.get().message === STALLED) closeMessage();
}

/** Whether a page is loading. A navigation that waits for a connection does not count. */
export function useIsLoading(): boolean {
  const stalled = useStore(stalledStore);
  return useNavigation().state !== "idle" && !stalled;
}
