import type { User } from "./api";
import { useSyncExternalStore } from "react";

/** The specification, §4: the auth state holds the user and a logged-in flag. */
export interface SessionState {
  user: User | null;
  loggedIn: boolean;
}

const nobody: SessionState = { user: null, loggedIn: false };

let state = nobody;
const listeners = new Set<() => void>();

function set(next: SessionState): void {
  state = next;
  for (const tell of listeners) tell();
}

/** Who is signed in on this page, readable from anywhere and subscribable. */
export const sessionStore = {
  getSnapshot: (): SessionState => state,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  signIn: (user: User) => set({ user, loggedIn: true }),
  reset: () => set(nobody),
};

/** The session for a component. Prerendered pages show nobody. */
export function useSession(): SessionState {
  return useSyncExternalStore(sessionStore.subscribe, sessionStore.getSnapshot, () => nobody);
}
