import { paths } from "@konomana/paths";
import { clearRecentlyViewed, freeChecks } from "@konomana/visitor";
import { currentApp } from "./appPort";
import { forgetDrafts } from "./draftStorage";
import { type LoginReason, loginReason } from "./loginReason";
import { stopRefreshTimer } from "./refreshTimer";
import { rememberPath } from "./returnPath";
import { runningExam } from "./runningExam";
import { sessionEnd, sessionStore } from "./state";
import { clearTokens } from "./tokenStorage";

/**
 * Ends the session in this browser and opens `to`. Without it, the login replaces a private page and
 * shows the reason, and a running exam stays open and asks for the password.
 */
export function endSession(why: LoginReason, to?: string): void {
  stopRefreshTimer();
  // A sign-out closes the exam in every tab. The other tabs read this after the tokens are gone.
  if (to !== undefined) runningExam.forget();
  clearTokens();
  endSessionHere(why, to);
}

/** Ends the session in this tab, after the tokens are gone or belong to another person. */
export function endSessionHere(why: LoginReason, to?: string): void {
  const { personal, navigate, currentPath, isPrivate } = currentApp();
  if (to === undefined && runningExam.isAt(currentPath())) return sessionEnd.set(why);
  sessionStore.reset();
  sessionEnd.set(null);
  personal.reset();
  clearRecentlyViewed();
  freeChecks.clear();
  forgetDrafts();
  if (to === undefined && !isPrivate()) return;
  const target = to ?? paths.login();
  if (target === paths.login()) {
    rememberPath(currentPath());
    loginReason.keep(why);
  }
  navigate(target);
}
