import { sessionApi } from "./sessionApi";
import { sessionEnd, sessionStore } from "./state";
import { writeTokens } from "./tokenStorage";
import { stampTokens } from "./tokens";

/**
 * Signs in again with the email address of the current user, without leaving the page. Throws an
 * `ApiError`.
 */
export async function loginAgain(password: string): Promise<void> {
  const email = sessionStore.get().user?.email ?? "";
  writeTokens(stampTokens(await sessionApi.login({ email, password }), Date.now()));
  sessionEnd.set(null);
}
