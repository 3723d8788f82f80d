import { paths } from "@konomana/paths";
import { endSession } from "./endSession";
import { sessionApi } from "./sessionApi";

/**
 * Calls the server's logout, opens /login and removes the person's data. Also logs out of this
 * browser if the server can't be reached.
 */
export async function logout(): Promise<void> {
  endPush();
  // The person can't fix a failure of this. The tokens are removed below in any case.
  await Promise.allSettled([sessionApi.logout()]);
  endSession("signedOut", paths.login());
}

/**
 * Removes the person's data and opens a path, after the server ended this session at the person's
 * request.
 */
export function leave(to: string = paths.login()): void {
  endPush();
  endSession("signedOut", to);
}

/**
 * Ends the notifications of this browser: the next person must not see them. The push service
 * reports the end to the server at its next push. Not awaited: it continues after the path has
 * changed.
 */
function endPush(): void {
  unsubscribe().catch(() => {});
}

async function unsubscribe(): Promise<void> {
  const { serviceWorker } = navigator;
  const registration = await serviceWorker?.getRegistration(paths.settingsNotification());
  const subscription = await registration?.pushManager?.getSubscription();
  await subscription?.unsubscribe();
}
