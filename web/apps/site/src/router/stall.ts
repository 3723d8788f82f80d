import { createStore, useStore } from "@konomana/browser";
import { alertStore, closeMessage, showMessage } from "@konomana/ui-base";
import { useNavigation } from "react-router";

/** The alert that is shown while a navigation waits for a connection. */
export const STALLED = "インターネットにつながらないため、ページを開けませんでした。";
/** How long the server may take to show that it is there. */
const REACH_MS = 5_000;

/** Whether the navigation under way waits for a connection. */
const stalledStore = createStore(false);
let again: Promise<void> | null = null;

/** Whether the site's server answers. */
export async function isReachable(): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(REACH_MS);
    await fetch("/favicon.svg", { method: "HEAD", cache: "no-store", signal });
    return true;
  } catch {
    return false;
  }
}

/** Shows an alert that there is no connection, and waits until its button is pressed. */
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

/** Ends the wait: the navigation is retried or replaced. */
export function endStall(): void {
  again = null;
  stalledStore.set(false);
  if (alertStore.get().message === STALLED) closeMessage();
}

/** Whether a page is being loaded; one that waits for a connection is not. */
export function useIsLoading(): boolean {
  const stalled = useStore(stalledStore);
  return useNavigation().state !== "idle" && !stalled;
}
