import { createStore, sharedStorage, useStore } from "@konomana/browser";

/** The playback speeds on offer. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 2.75, 3] as const;

export const qualities = ["auto", "360p", "720p"] as const;

export type Quality = (typeof qualities)[number];

/** Caption sizes, relative to the usual size. */
export const captionSizes = {
  small: { name: "小", scale: 0.875 },
  medium: { name: "中", scale: 1 },
  large: { name: "大", scale: 1.25 },
} as const;

export type CaptionSize = keyof typeof captionSizes;

/** Playback preferences, stored in this browser. */
export interface Preferences {
  speed: number;
  captions: boolean;
  captionSize: CaptionSize;
  quality: Quality;
  /** Whether the next lesson starts automatically. */
  autoplay: boolean;
  /**
   * Whether letters, digits and signs are shortcuts. Speech input and accidental presses can
   * trigger them.
   */
  letterKeys: boolean;
}

const KEY = "konomana.player";

const usual: Preferences = {
  speed: 1,
  captions: true,
  captionSize: "medium",
  quality: "auto",
  autoplay: false,
  letterKeys: true,
};

const store = createStore(usual, readPreferences);

/** The playback preferences of this browser. */
export const preferences = store.get;

/** Changes and stores playback preferences. */
export function prefer(change: Partial<Preferences>): void {
  store.set({ ...store.get(), ...change });
  sharedStorage.writeJson(KEY, store.get());
}

/** Loads the preferences again, as a newly opened page does. */
export const reloadPreferences = store.reload;

export function usePreferences(): Preferences {
  return useStore(store);
}

function readPreferences(): Preferences {
  const stored = (sharedStorage.readJson(KEY) ?? {}) as Partial<Record<keyof Preferences, unknown>>;
  return {
    speed: speeds.find((speed) => speed === stored.speed) ?? usual.speed,
    captions: typeof stored.captions === "boolean" ? stored.captions : usual.captions,
    captionSize: isCaptionSize(stored.captionSize) ? stored.captionSize : usual.captionSize,
    quality: qualities.find((quality) => quality === stored.quality) ?? usual.quality,
    autoplay: stored.autoplay === true,
    letterKeys: stored.letterKeys !== false,
  };
}

function isCaptionSize(value: unknown): value is CaptionSize {
  return typeof value === "string" && Object.hasOwn(captionSizes, value);
}

/** The speed `steps` faster than a speed, or slower if negative, within the speeds on offer. */
export function fasterBy(steps: number, speed: number): number {
  const index = speeds.findIndex((one) => one >= speed);
  const at = Math.min(speeds.length - 1, Math.max(0, index + steps));
  return speeds[at] ?? speed;
}
