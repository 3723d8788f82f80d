import { sharedStorage } from "@konomana/browser";
import { currentApp } from "./appPort";
import { userWithoutServer } from "./runningExam";
import { hasScope } from "./scope";
import { sessionApi, type User } from "./sessionApi";
import { sessionStore } from "./state";
import { hasTokens } from "./tokenStorage";

/** Timestamp of the last change of the user. Writing it notifies the other tabs. */
export const USER_KEY = "konomana.user-changed";

let loading: Promise<User> | null = null;

/**
 * The signed-in user, fetched once; `null` if no user is signed in. A network failure is thrown: it
 * does not mean that the user is signed out.
 */
export async function ensureUser(): Promise<User | null> {
  const { user } = sessionStore.get();
  if (user) return user;
  if (!hasTokens()) return null;
  loading ??= loadUser().finally(() => (loading = null));
  return loading;
}

/** Stores new data of the signed-in user and notifies every tab. */
export function keepUser(user: User): void {
  sessionStore.signIn(user);
  sharedStorage.write(USER_KEY, String(Date.now()));
}

/** Fetches the signed-in user again, for every tab. */
export async function renewUser(): Promise<void> {
  keepUser(await sessionApi.user());
}

async function loadUser(): Promise<User> {
  try {
    const user = await sessionApi.user();
    checkFields(user);
    sessionStore.signIn(user);
    if (hasScope(user, "learner"))
      currentApp()
        .personal.load()
        .catch(() => {});
    return user;
  } catch (error) {
    const known = userWithoutServer(error, currentApp().currentPath());
    if (known === null) throw error;
    // The person's other data is not available either.
    sessionStore.signIn(known);
    return known;
  }
}

/** Checks the required fields (the specification, §8). */
function checkFields(user: Partial<User> | null): void {
  for (const field of ["id", "scope"] as const)
    if (user?.[field] === undefined)
      throw new Error(`User Data response does not contain field ${field}`);
}
