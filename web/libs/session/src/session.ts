import { sessionApi, type Credentials, type Tokens, type User } from "./sessionApi";
import { ApiError, connectApi } from "@konomana/http";
import { sharedStorage } from "@konomana/browser";
import { paths } from "@konomana/paths";
import { clearRecentlyViewed, freeChecks } from "@konomana/visitor";
import { forgetDrafts } from "./forget";
import { type LoginReason, loginReason } from "./loginReason";
import type { PersonalData } from "./personalQueries";
import { renewTokens, SessionOver, storeTokensOf } from "./refresh";
import { rememberPath } from "./remember";
import { hasScope } from "./scope";
import { sessionStore } from "./state";
import { clearTokens, readTokens, TOKENS_KEY, USER_KEY, writeTokens } from "./tokenStorage";
import { stampTokens, tokenState } from "./tokens";

/** How long before its expiry an access token is refreshed on its own. */
const REFRESH_AHEAD_MS = 60_000;

/** What the session needs of the app around it. */
export interface SessionSurroundings {
  personal: PersonalData;
  /** Opens a path of the site. */
  navigate: (path: string) => void;
  /** Path, query and fragment of the page that is open. */
  currentPath: () => string;
  /** Whether only signed-in people may see the page that is open. */
  isPrivate: () => boolean;
}

let surroundings: SessionSurroundings | null = null;
let refreshTimer: ReturnType<typeof setTimeout> | undefined;
let loadingUser: Promise<User> | null = null;

function around(): SessionSurroundings {
  if (!surroundings) throw new Error("startSession has not been called.");
  return surroundings;
}

/**
 * Joins the session to the app: calls carry its tokens, other tabs are listened to, a kept session is taken
 * up again. Call it once, before the router starts. The returned function undoes it.
 */
export function startSession(given: SessionSurroundings): () => void {
  surroundings = given;
  connectApi({ session: { token: currentToken, renew, lost: () => endSession("ended") } });
  globalThis.addEventListener("storage", followOtherTabs);
  if (readTokens()) {
    refreshBeforeExpiry();
    // A page that needs the user asks again in its guard and shows what went wrong there.
    ensureUser().catch(() => {});
  }
  return () => {
    clearTimeout(refreshTimer);
    globalThis.removeEventListener("storage", followOtherTabs);
    surroundings = null;
  };
}

/** Login stores the tokens, then fetches the user (the specification, §4). */
export async function login(credentials: Credentials): Promise<void> {
  await enter(await sessionApi.login(credentials));
}

/** Signs in with tokens that something else than a login has given, e.g. a sign-up. */
export async function enter(tokens: Tokens): Promise<void> {
  // The tokens may be of another person than the one signed in here before.
  if (sessionStore.get().loggedIn) forgetDrafts();
  sessionStore.reset();
  around().personal.expect();
  writeTokens(stampTokens(tokens, Date.now()));
  refreshBeforeExpiry();
  await ensureUser();
}

/**
 * Goes on with the tokens that a call gives; it is handed the access token to send and ends every session of the
 * person, this one too. A 401 refreshes the tokens and calls once more.
 */
export async function replaceTokens(call: (token: string) => Promise<Tokens>): Promise<void> {
  const token = await currentToken();
  try {
    await storeTokensOf(() => call(token));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) throw error;
    const newer = await renew(token);
    await storeTokensOf(() => call(newer));
  }
  refreshBeforeExpiry();
}

/**
 * Logout calls the server, goes to /login and forgets the person. When the server can't be reached the person
 * is logged out of this browser all the same.
 */
export async function logout(): Promise<void> {
  try {
    await sessionApi.logout();
  } catch {
    // Nothing the person could do about it; the tokens are forgotten below.
  }
  endSession("signedOut", paths.login());
}

/** The server has ended this session because the person wanted it: forgets them here and opens a path. */
export function leave(to: string = paths.login()): void {
  endSession("signedOut", to);
}

/** The server has told something new about the signed-in person: every tab shows it from now on. */
export function keepUser(user: User): void {
  sessionStore.signIn(user);
  sharedStorage.write(USER_KEY, String(Date.now()));
}

/** Asks the server anew about the signed-in person, for every tab. */
export async function renewUser(): Promise<void> {
  keepUser(await sessionApi.user());
}

/**
 * The signed-in user, fetched once; null when nobody is signed in. A failing network is thrown: it says
 * nothing about who is signed in.
 */
export async function ensureUser(): Promise<User | null> {
  const { user } = sessionStore.get();
  if (user) return user;
  if (!readTokens()) return null;
  loadingUser ??= loadUser().finally(() => (loadingUser = null));
  return loadingUser;
}

/** Whether this browser holds the tokens of somebody; the server may have ended their session. */
export function hasTokens(): boolean {
  return readTokens() !== null;
}

async function loadUser(): Promise<User> {
  const user = await sessionApi.user();
  checkFields(user);
  sessionStore.signIn(user);
  if (hasScope(user, "learner"))
    around()
      .personal.load()
      .catch(() => {});
  return user;
}

/** The specification, §8. */
function checkFields(user: Partial<User> | null): void {
  for (const field of ["id", "scope"] as const)
    if (user?.[field] === undefined)
      throw new Error(`User Data response does not contain field ${field}`);
}

async function currentToken(): Promise<string> {
  const stored = readTokens();
  if (stored && tokenState(stored.access_expires_at) === "valid") return stored.access_token;
  return renew(stored?.access_token ?? "");
}

async function renew(refused: string): Promise<string> {
  try {
    const fresh = await renewTokens(refused);
    refreshBeforeExpiry();
    return fresh.access_token;
  } catch (error) {
    if (error instanceof SessionOver) endSession(error.why);
    throw error;
  }
}

function refreshBeforeExpiry(): void {
  clearTimeout(refreshTimer);
  const stored = readTokens();
  if (!stored) return;
  const wait = stored.access_expires_at - REFRESH_AHEAD_MS - Date.now();
  refreshTimer = setTimeout(
    () => {
      // A failure is not the end: the next call refreshes again, and says so if it can't.
      renew(stored.access_token).catch(() => {});
    },
    Math.max(0, wait),
  );
}

/** Clears the user in this tab. A private page is replaced by the login, which shows why. */
function endSession(why: LoginReason, to?: string): void {
  clearTimeout(refreshTimer);
  clearTokens();
  forget(why, to);
}

function forget(why: LoginReason, to?: string): void {
  const { personal, navigate, currentPath, isPrivate } = around();
  sessionStore.reset();
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

/** Another tab has signed in, refreshed, signed out or changed the person: this one does the same. */
function followOtherTabs({ key }: StorageEvent): void {
  if (key === USER_KEY) return followUser();
  if (key !== TOKENS_KEY && key !== null) return;
  if (!readTokens()) {
    clearTimeout(refreshTimer);
    if (sessionStore.get().loggedIn) forget("signedOut");
    return;
  }
  refreshBeforeExpiry();
  if (!sessionStore.get().loggedIn) {
    around().personal.expect();
    ensureUser().catch(() => {});
  }
}

function followUser(): void {
  if (!sessionStore.get().loggedIn) return;
  // Without an answer this tab shows what it has, until the page is loaded again.
  sessionApi.user().then(showUserStill, () => {});
}

/** The person may have signed out while the answer was on its way. */
function showUserStill(user: User): void {
  if (sessionStore.get().loggedIn) sessionStore.signIn(user);
}
