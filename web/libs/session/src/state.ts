import { createStore, useStore } from "@konomana/browser";
import type { LoginReason } from "./loginReason";
import type { User } from "./sessionApi";

/** The specification, §4: the auth state holds the user and a logged-in flag. */
export interface SessionState {
  user: User | null;
  loggedIn: boolean;
}

const nobody: SessionState = { user: null, loggedIn: false };
const store = createStore(nobody);

/** The session state of this page, readable outside React. Prerendered pages have no user. */
export const sessionStore = {
  ...store,
  signIn: (user: User) => store.set({ user, loggedIn: true }),
  reset: () => store.set(nobody),
};

/** Why the session of an open exam has ended. `null` while there is a session. */
export const sessionEnd = createStore<LoginReason | null>(null);

/** Hook for the session state. */
export function useSession(): SessionState {
  return useStore(store);
}
