import { connectApi } from "@konomana/http";
import { currentToken, refreshBeforeExpiry, renewToken } from "./accessToken";
import { type AppPort, connectApp } from "./appPort";
import { endSession } from "./endSession";
import { followOtherTabs } from "./otherTabs";
import { stopRefreshTimer } from "./refreshTimer";
import { ensureUser } from "./signedInUser";
import { hasTokens } from "./tokenStorage";

/**
 * Connects the session to the app: adds tokens to calls, follows other tabs, and restores a stored
 * session. Call it once, before the router starts. The returned function undoes it.
 */
export function startSession(app: AppPort): () => void {
  connectApp(app);
  connectApi({
    session: { token: currentToken, renew: renewToken, lost: () => endSession("ended") },
  });
  const ignoreOtherTabs = followOtherTabs();
  if (hasTokens()) {
    refreshBeforeExpiry();
    // A page that needs the user fetches it in its guard and shows the failure there.
    ensureUser().catch(() => {});
  }
  return () => {
    stopRefreshTimer();
    ignoreOtherTabs();
    connectApp(null);
  };
}
