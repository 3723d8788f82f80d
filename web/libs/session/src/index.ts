/**
 * The session: tokens and their refresh across tabs, the guard of private pages, login and logout.
 */
export { addressQuery } from "./addressQuery";
export type { Credentials, Tokens, User } from "./sessionApi";
export { type Draft, createDraft } from "./drafts";
export { requireAuth } from "./guard";
export { loginAgain } from "./loginAgain";
export { type LoginReason, loginReason } from "./loginReason";
export { type PersonalData, personalDataIn } from "./personalQueries";
export { BOTH_EXPIRED, SessionOver } from "./refresh";
export { rememberPath, restorePath } from "./remember";
export { hasScope } from "./scope";
export {
  ensureUser,
  enter,
  hasTokens,
  keepUser,
  leave,
  login,
  logout,
  renewUser,
  replaceTokens,
  startSession,
  type SessionSurroundings,
} from "./session";
export { runningExam } from "./runningExam";
export { sessionEnd, sessionStore, useSession, type SessionState } from "./state";
