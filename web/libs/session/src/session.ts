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
import { runningExam, userWithoutServer } from "./runningExam";
import { hasScope } from "./scope";
import { sessionEnd, sessionStore } from "./state";
import { clearTokens, readTokens, TOKENS_KEY, USER_KEY, writeTokens } from "./tokenStorage";
import { stampTokens, tokenState } from "./tokens";

/** How long before its expiry an access token is refreshed automatically. */
const REFRESH_AHEAD_MS = 60_000;

/** The parts of the app that the session depends on. */
export interface SessionSurroundings {
  personal: PersonalData;
  /** Opens a path of the site. */
  navigate: (path: string) => void;
  /** Path, query and fragment of the current page. */
  currentPath: () => string;
  /** Whether the current page requires a signed-in user. */
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
 * Connects the session to the app: adds tokens to calls, follows other tabs, and restores a stored
 * session. Call it once, before the router starts. The returned function undoes it.
 */
export function startSession(given: SessionSurroundings): () => void {
  surroundings = given;
  connectApi({ session: { token: currentToken, renew, lost: () => endSession("ended") } });
  globalThis.addEventListener("storage", followOtherTabs);
  if (readTokens()) {
    refreshBeforeExpiry();
    // A page that needs the user fetches it in its guard and shows the failure there.
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

/** Signs in with tokens from a call other than the login, e.g. a sign-up. */
export async function enter(tokens: Tokens): Promise<void> {
  // The tokens may belong to another person than the one who is signed in.
  if (sessionStore.get().loggedIn) forgetDrafts();
  runningExam.forget();
  sessionStore.reset();
  around().personal.expect();
  writeTokens(stampTokens(tokens, Date.now()));
  refreshBeforeExpiry();
  await ensureUser();
}

/**
 * Replaces the tokens by those of `call`, which receives the access token to send. The call ends
 * every session of the person, including this one. After a 401 the tokens are refreshed and the
 * call is repeated once.
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
 * Calls the server's logout, opens /login and removes the person's data. Also logs out of this
 * browser if the server can't be reached.
 */
export async function logout(): Promise<void> {
  try {
    await sessionApi.logout();
  } catch {
    // The person can't fix this. The tokens are removed below in any case.
  }
  endSession("signedOut", paths.login());
}

/**
 * Removes the person's data and opens a path, after the server ended this session at the person's
 * request.
 */
export function leave(to: string = paths.login()): void {
  endSession("signedOut", to);
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

/**
 * The signed-in user, fetched once; `null` if no user is signed in. A network failure is thrown: it
 * does not mean that the user is signed out.
 */
export async function ensureUser(): Promise<User | null> {
  const { user } = sessionStore.get();
  if (user) return user;
  if (!readTokens()) return null;
  loadingUser ??= loadUser().finally(() => (loadingUser = null));
  return loadingUser;
}

/** Whether tokens are stored in this browser. The server may have ended their session. */
export function hasTokens(): boolean {
  return readTokens() !== null;
}

async function loadUser(): Promise<User> {
  try {
    const user = await sessionApi.user();
    checkFields(user);
    sessionStore.signIn(user);
    if (hasScope(user, "learner"))
      around()
        .personal.load()
        .catch(() => {});
    return user;
  } catch (error) {
    const known = userWithoutServer(error, around().currentPath());
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
      // A failure here is not final: the next call refreshes again and reports the error.
      renew(stored.access_token).catch(() => {});
    },
    Math.max(0, wait),
  );
}

/**
 * Clears the user in this tab. The login replaces a private page and shows the reason. A running exam
 * stays open and asks for the password.
 */
function endSession(why: LoginReason, to?: string): void {
  clearTimeout(refreshTimer);
  // A sign-out closes the exam in every tab. The other tabs read this after the tokens are gone.
  if (to !== undefined) runningExam.forget();
  clearTokens();
  forget(why, to);
}

function forget(why: LoginReason, to?: string): void {
  const { personal, navigate, currentPath, isPrivate } = around();
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

/** Follows another tab's sign-in, refresh, sign-out or change of the user. */
function followOtherTabs({ key }: StorageEvent): void {
  if (key === USER_KEY) return followUser();
  if (key !== TOKENS_KEY && key !== null) return;
  if (!readTokens()) {
    clearTimeout(refreshTimer);
    if (sessionStore.get().loggedIn) forget("signedOut");
    return;
  }
  refreshBeforeExpiry();
  if (sessionEnd.get() !== null) {
    // If the call fails, the page continues to ask for the password.
    sessionApi.user().then(takeUpSession, () => {});
    return;
  }
  if (!sessionStore.get().loggedIn) {
    around().personal.expect();
    ensureUser().catch(() => {});
  }
}

/** Continues an exam that stayed open without a session, if another tab has signed in the same person. */
function takeUpSession({ id }: User): void {
  if (id === sessionStore.get().user?.id) sessionEnd.set(null);
  else forget("signedOut", paths.login());
}

function followUser(): void {
  if (!sessionStore.get().loggedIn) return;
  // If the call fails, this tab shows the old data until the page is reloaded.
  sessionApi.user().then(showUserStill, () => {});
}

/** The person may have signed out while the request was pending. */
function showUserStill(user: User): void {
  if (sessionStore.get().loggedIn) sessionStore.signIn(user);
}
