import { createStore } from "@konomana/browser";

/** What is announced at the moment (the specification, §3: alert state). */
export interface AlertState {
  /** What went wrong; stays until it is closed or replaced. */
  readonly message: string | null;
  /** What a button beside it does once more; null without one. */
  readonly again: (() => void) | null;
  /** What went well; goes away by itself. */
  readonly blueMessage: string | null;
  /** True while the blue message fades out. */
  readonly fading: boolean;
}

/** How long a blue message shows before it fades (the specification, §9). */
export const BLUE_SHOWN_MS = 3000;
/** How long it fades before it is cleared (the specification, §9). */
export const BLUE_FADE_MS = 200;

const silent: AlertState = { message: null, again: null, blueMessage: null, fading: false };

/** What is announced at the moment. */
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

/** Shows a short blue notice at the top; a newer one replaces it and has its full time. */
export function showBlue(blueMessage: string): void {
  clearTimeout(timer);
  set({ blueMessage, fading: false });
  timer = setTimeout(fadeBlue, BLUE_SHOWN_MS);
}

/** Shows a message that something went wrong, until it is closed; `again` gives it a button that tries once more. */
export function showMessage(message: string, again: (() => void) | null = null): void {
  set({ message, again });
}

export function closeMessage(): void {
  set({ message: null, again: null });
}
