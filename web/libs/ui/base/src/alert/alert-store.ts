import { createStore } from "@konomana/browser";

/** The current alerts (the specification, §3: alert state). */
export interface AlertState {
  /** An error message; it stays until it is closed or replaced. */
  readonly message: string | null;
  /** Action of the retry button; null without one. */
  readonly again: (() => void) | null;
  /** A success message, which disappears by itself. */
  readonly blueMessage: string | null;
  /** True while the blue message fades out. */
  readonly fading: boolean;
}

/** How long a blue message shows before it fades (the specification, §9). */
export const BLUE_SHOWN_MS = 3000;
/** Duration of the fade before the message is cleared (the specification, §9). */
export const BLUE_FADE_MS = 200;

const silent: AlertState = { message: null, again: null, blueMessage: null, fading: false };

/** The store of the current alerts. */
export const alertStore = createStore(silent);
let timer: ReturnType<typeof setTimeout> | undefined;

function set(change: Partial<AlertState>): void {
  alertStore.set({ ...alertStore.get(), ...change });
}

function clearBlue(): void {
  set({ blueMessage: null, fading: false });
}

function fadeBlue(): void {
  set({ fading: true });
  timer = setTimeout(clearBlue, BLUE_FADE_MS);
}

/** Shows a short blue notice at the top. A newer notice replaces it and shows for its full time. */
export function showBlue(blueMessage: string): void {
  clearTimeout(timer);
  set({ blueMessage, fading: false });
  timer = setTimeout(fadeBlue, BLUE_SHOWN_MS);
}

/** Shows an error message until it is closed; `again` adds a retry button. */
export function showMessage(message: string, again: (() => void) | null = null): void {
  set({ message, again });
}

export function closeMessage(): void {
  set({ message: null, again: null });
}
