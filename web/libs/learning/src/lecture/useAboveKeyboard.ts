import { useSyncExternalStore } from "react";

/**
 * If less than this share of the window's height is visible, an on-screen keyboard counts as open.
 */
const SHARE_LEFT = 0.8;

/**
 * The top of the area above an on-screen keyboard, in CSS pixels of the window; null if none is
 * open.
 */
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
  // Pinch zoom also shrinks the visual viewport; `scale` compensates for it.
  const left = (height * scale) / document.documentElement.clientHeight;
  return left < SHARE_LEFT ? Math.round(offsetTop) : null;
}
