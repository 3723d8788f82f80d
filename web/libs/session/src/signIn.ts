import { refreshBeforeExpiry } from "./accessToken";
import { currentApp } from "./appPort";
import { forgetDrafts } from "./draftStorage";
import { runningExam } from "./runningExam";
import { type Credentials, sessionApi, type Tokens } from "./sessionApi";
import { ensureUser } from "./signedInUser";
import { sessionStore } from "./state";
import { writeTokens } from "./tokenStorage";
import { stampTokens } from "./tokens";

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
  currentApp().personal.clear();
  writeTokens(stampTokens(tokens, Date.now()));
  refreshBeforeExpiry();
  await ensureUser();
}
