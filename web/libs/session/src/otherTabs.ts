import { paths } from "@konomana/paths";
import { refreshBeforeExpiry } from "./accessToken";
import { currentApp } from "./appPort";
import { endSessionHere } from "./endSession";
import { stopRefreshTimer } from "./refreshTimer";
import { sessionApi, type User } from "./sessionApi";
import { ensureUser, USER_KEY } from "./signedInUser";
import { sessionEnd, sessionStore } from "./state";
import { hasTokens, TOKENS_KEY } from "./tokenStorage";

/**
 * Follows the sign-in, refresh, sign-out and changes of the user in other tabs. The returned
 * function undoes it.
 */
export function followOtherTabs(): () => void {
  globalThis.addEventListener("storage", followStorage);
  return () => globalThis.removeEventListener("storage", followStorage);
}

function followStorage({ key }: StorageEvent): void {
  if (key === USER_KEY) followUser();
  // The key is `null` when another tab has cleared the whole storage.
  else if (key === TOKENS_KEY || key === null) followTokens();
}

function followTokens(): void {
  if (!hasTokens()) {
    stopRefreshTimer();
    if (sessionStore.get().loggedIn) endSessionHere("signedOut");
    return;
  }
  refreshBeforeExpiry();
  if (sessionEnd.get() !== null) {
    // If the call fails, the page continues to ask for the password.
    sessionApi.user().then(resumeExam, () => {});
    return;
  }
  if (!sessionStore.get().loggedIn) {
    currentApp().personal.clear();
    ensureUser().catch(() => {});
  }
}

/** Resumes an exam that stayed open without a session, if the same person has signed in. */
function resumeExam({ id }: User): void {
  if (id === sessionStore.get().user?.id) sessionEnd.set(null);
  else endSessionHere("signedOut", paths.login());
}

function followUser(): void {
  if (!sessionStore.get().loggedIn) return;
  // If the call fails, this tab shows the old data until the page is reloaded.
  sessionApi.user().then(showUser, () => {});
}

/** The person may have signed out while the request was pending. */
function showUser(user: User): void {
  if (sessionStore.get().loggedIn) sessionStore.signIn(user);
}
