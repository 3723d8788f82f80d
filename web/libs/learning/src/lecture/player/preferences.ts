import { useSyncExternalStore } from "react";

/** How fast a lesson can be played. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3] as const;

export const qualities = ["auto", "360p", "720p"] as const;

export type Quality = (typeof qualities)[number];

/** How somebody likes to watch, kept in this browser. */
export interface Preferences {
  speed: number;
  captions: boolean;
  quality: Quality;
  /** Whether the next lesson begins by itself. */
  autoplay: boolean;
  /** Whether letters, digits and signs are keys that do something: who speaks to a computer, or slips, may not want it. */
  letterKeys: boolean;
}

const KEY = "konomana.player";

const usual: Preferences = {
  speed: 1,
  captions: true,
  quality: "auto",
  autoplay: false,
  letterKeys: true,
};

let current: Preferences | null = null;
const listeners = new Set<() => void>();

/** How this browser's person likes to watch. */
export function preferences(): Preferences {
  current ??= read();
  return current;
}

/** Changes how somebody likes to watch, from now on. */
export function prefer(change: Partial<Preferences>): void {
  current = { ...preferences(), ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(current));
  } catch {
    // Nothing can be kept there: it holds as long as the page.
  }
  for (const tell of listeners) tell();
}

/** Forgets what was read, as a page that is opened anew. */
export function forgetPreferences(): void {
  current = null;
}

export function usePreferences(): Preferences {
  return useSyncExternalStore(subscribe, preferences, () => usual);
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function read(): Preferences {
  let kept: Partial<Record<keyof Preferences, unknown>>;
  try {
    kept = (JSON.parse(localStorage.getItem(KEY) ?? "null") ?? {}) as typeof kept;
  } catch {
    return usual;
  }
  return {
    speed: speeds.find((speed) => speed === kept.speed) ?? usual.speed,
    captions: typeof kept.captions === "boolean" ? kept.captions : usual.captions,
    quality: qualities.find((quality) => quality === kept.quality) ?? usual.quality,
    autoplay: kept.autoplay === true,
    letterKeys: kept.letterKeys !== false,
  };
}

/** So many steps faster than a speed, slower where negative, within what there is. */
export function fasterBy(steps: number, speed: number): number {
  const index = speeds.findIndex((one) => one >= speed);
  const at = Math.min(speeds.length - 1, Math.max(0, index + steps));
  return speeds[at] ?? speed;
}
