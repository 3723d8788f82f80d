import { useEffect, useRef } from "react";

/**
 * Gives what lies over the page an entry of its own in the history, of which the router does not hear: Back closes it,
 * and the page stays.
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
    // In front of the router's listener.
    addEventListener("popstate", back, { capture: true, signal: listening.signal });
  }, []);
  return {
    /** It was closed, by Back or otherwise: its entry goes, too. */
    onClosed: () => {
      if (entry.current?.signal.aborted === false) history.back();
    },
    /** A link was followed, whose page takes the place of the entry (`replace`). */
    onFollowed: () => entry.current?.abort(),
  };
}
