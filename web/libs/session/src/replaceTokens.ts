import { ApiError } from "@konomana/http";
import { currentToken, refreshBeforeExpiry, renewToken } from "./accessToken";
import { storeTokensOf } from "./refresh";
import type { Tokens } from "./sessionApi";

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
    const newer = await renewToken(token);
    await storeTokensOf(() => call(newer));
  }
  refreshBeforeExpiry();
}
