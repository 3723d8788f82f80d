/**
 * The session: tokens and their refresh across tabs, the guard of private pages, login and logout.
 */
export { addressQuery } from "./addressQuery";
export type { AppPort } from "./appPort";
export { type Draft, createDraft } from "./drafts";
export { requireAuth } from "./guard";
export { loginAgain } from "./loginAgain";
export { type LoginReason, loginReason } from "./loginReason";
export { type PersonalData, personalDataIn } from "./personalQueries";
export { BOTH_EXPIRED, SessionOver } from "./refresh";
export { replaceTokens } from "./replaceTokens";
export { rememberPath, restorePath } from "./returnPath";
export { runningExam } from "./runningExam";
export { hasScope } from "./scope";
export type { Credentials, Tokens, User } from "./sessionApi";
export { ensureUser, keepUser, renewUser } from "./signedInUser";
export { enter, login } from "./signIn";
export { leave, logout } from "./signOut";
export { startSession } from "./startSession";
export { sessionEnd, sessionStore, useSession, type SessionState } from "./state";
export { hasTokens } from "./tokenStorage";
