import type { PersonalData } from "./personalQueries";

/** The app as the session needs it. */
export interface AppPort {
  personal: PersonalData;
  /** Opens a path of the site. */
  navigate: (path: string) => void;
  /** Path, query and fragment of the current page. */
  currentPath: () => string;
  /** Whether the current page requires a signed-in user. */
  isPrivate: () => boolean;
}

let connected: AppPort | null = null;

/** Connects the session to the app. `null` disconnects it. */
export function connectApp(app: AppPort | null): void {
  connected = app;
}

export function currentApp(): AppPort {
  if (!connected) throw new Error("startSession has not been called.");
  return connected;
}
