import { useEffect, useRef } from "react";

/**
 * Gives an overlay its own history entry, which the router ignores. Back closes the overlay and
 * stays on the page.
 */
export function useCloseOnBack(close: () => void) {
  const entry = useRef<AbortController>(null);
  const closing = useRef(close);
  useEffect(() => {
    const listening = new AbortController();
    entry.current = listening;
    const state = history.state as { idx?: number } | null;
    history.pushState({ ...state, idx: (state?.idx ?? 0) + 1 }, "");
    const back = (event: PopStateEvent) => {
      event.stopImmediatePropagation();
      listening.abort();
      closing.current();
    };
    // Capture, so it runs before the router's listener.
    addEventListener("popstate", back, { capture: true, signal: listening.signal });
  }, []);
  return {
    /** Call when the overlay has closed, for any reason: removes its history entry. */
    onClosed: () => {
      if (entry.current?.signal.aborted === false) history.back();
    },
    /** Call when a link in it is followed with `replace`: the new page replaces its history entry. */
    onFollowed: () => entry.current?.abort(),
  };
}
