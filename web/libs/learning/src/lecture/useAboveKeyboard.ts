import { useSyncExternalStore } from "react";

/** A keyboard on the screen leaves less of the window than this. */
const SHARE_LEFT = 0.8;

/** The top of what a keyboard on the screen leaves free, in pixels of the window; null while none is open. */
export function useAboveKeyboard(): number | null {
  return useSyncExternalStore(followWindow, topOfRest, () => null);
}

function followWindow(listener: () => void): () => void {
  const following = new AbortController();
  for (const type of ["resize", "scroll"])
    visualViewport?.addEventListener(type, listener, { signal: following.signal });
  return () => following.abort();
}

function topOfRest(): number | null {
  if (!visualViewport) return null;
  const { height, scale, offsetTop } = visualViewport;
  // Whoever enlarges the page sees less of it, too.
  const left = (height * scale) / document.documentElement.clientHeight;
  return left < SHARE_LEFT ? Math.round(offsetTop) : null;
}
